/** Converts the access of a contract line to the statements of a role's policy: exactly these actions on exactly these resources. */
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { ContractLine, Partition, QueueName } from '../../../shared/contract.ts';

/** The resources that contract lines refer to by name. */
export interface Reachable {
  readonly table: Table;
  readonly queues: ReadonlyMap<QueueName, IQueue>;
  /** The sender: ARNs of what SES checks at each mail (identities, configuration set), and the address in `From`. */
  readonly sender: { readonly arns: readonly string[]; readonly address: string };
}

/** Returns a queue by name. @throws Error if the stage has no such queue */
export const queueOf = (queues: Reachable['queues'], name: QueueName): IQueue => {
  const queue = queues.get(name);
  if (!queue) throw new Error(`No function reads the queue ${name}: add one to shared/contract.ts.`);
  return queue;
};

/** Returns the statements for one line; `logGroupArn` is the function's own log group with its streams. */
export const statementsOf = (line: ContractLine, reachable: Reachable, logGroupArn: string): PolicyStatement[] => {
  const { access } = line;
  const statements = tableStatements(line, reachable.table);
  if (access.due) {
    statements.push(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${reachable.table.tableArn}/index/due`],
        // No condition: AWS describes `dynamodb:LeadingKeys` as "the first key attribute of a table" and says nothing of an index, and
        // this index holds only what is due.
        // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
      }),
    );
  }
  if (access.send) {
    const resources = access.send.map((name) => queueOf(reachable.queues, name).queueArn);
    statements.push(new PolicyStatement({ actions: ['sqs:SendMessage'], resources }));
  }
  if (line.kind === 'queue') {
    statements.push(
      new PolicyStatement({
        // Lambda's poller needs these; it lets visibility timeouts expire and never changes them.
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: line.sources.map(({ queue }) => queueOf(reachable.queues, queue).queueArn),
      }),
    );
  }
  if (access.mail) {
    statements.push(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: [...reachable.sender.arns],
        conditions: { StringEquals: { 'ses:FromAddress': reachable.sender.address } },
      }),
    );
  }
  statements.push(
    new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroupArn] }),
  );
  return statements;
};

/** One statement per set of partitions, because its actions share a condition. */
const tableStatements = (line: ContractLine, table: Table): PolicyStatement[] => {
  const actionsOf = new Map<string, { partitions: readonly string[]; actions: string[] }>();
  for (const [action, partitions] of Object.entries(line.access.table ?? {})) {
    const sorted = [...new Set<Partition>(partitions)].sort();
    const entry = actionsOf.get(sorted.join()) ?? { partitions: sorted, actions: [] };
    entry.actions.push(`dynamodb:${action}`);
    actionsOf.set(sorted.join(), entry);
  }
  return [...actionsOf.values()].map(
    ({ partitions, actions }) =>
      new PolicyStatement({ actions, resources: [table.tableArn], conditions: leadingKeys(partitions) }),
  );
};

/** `ForAllValues` is also true for a request without a key (a scan), hence `Null`. */
const leadingKeys = (partitions: readonly string[]) => ({
  'ForAllValues:StringLike': {
    'dynamodb:LeadingKeys': partitions.map((partition) => (partition.endsWith('#') ? `${partition}*` : partition)),
  },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
