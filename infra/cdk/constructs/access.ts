/** Converts the access of a contract line to a role's policy: exactly these actions on exactly these resources. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ContractLine, DeadQueueName, Partition, QueueName, TableAction } from '../../../shared/contract.ts';
import type { StageConfig } from '../stage.ts';

export interface Reachable {
  readonly table: string;
  readonly queue: (name: QueueName | DeadQueueName) => string;
  /** The sender: ARNs of what SES checks at each mail (identities, configuration set), and the address in `From`. */
  readonly sender: { readonly arns: readonly string[]; readonly address: string };
  readonly transactionGrants: StageConfig['transactionGrants'];
}

/** Returns the statements for one line; `logGroupArn` stands for the streams of the function's log group. */
export const statementsOf = (line: ContractLine, reachable: Reachable, logGroupArn: string): PolicyStatement[] => {
  const { access } = line;
  const statements = tableStatements(line, reachable);
  if (access.indexes) {
    statements.push(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: access.indexes.map((index) => `${reachable.table}/index/${index}`),
        // Without a condition on keys: AWS documents `dynamodb:LeadingKeys` for tables only, not for their indexes.
        // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
      }),
    );
  }
  if (access.send) {
    const resources = access.send.map(reachable.queue);
    statements.push(new PolicyStatement({ actions: ['sqs:SendMessage'], resources }));
  }
  if (access.measure) {
    const resources = access.measure.map(reachable.queue);
    statements.push(new PolicyStatement({ actions: ['sqs:GetQueueAttributes'], resources }));
  }
  if (line.kind === 'queue') {
    // To move a faulty message (shared/aws/worker.ts).
    const resources = deadQueuesOf(line).map(reachable.queue);
    statements.push(new PolicyStatement({ actions: ['sqs:SendMessage'], resources }));
    statements.push(
      new PolicyStatement({
        // Lambda's poller needs the first three; the function changes the visibility itself (shared/aws/hiding.ts).
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'],
        resources: line.sources.map(({ queue }) => reachable.queue(queue)),
      }),
    );
  }
  if (access.mail) {
    statements.push(
      new PolicyStatement({
        actions: ['ses:SendRawEmail'],
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

/** The dead-letter queues of the queues that a worker reads. */
export const deadQueuesOf = (line: ContractLine): readonly DeadQueueName[] =>
  line.kind === 'queue' ? line.sources.map(({ queue }): DeadQueueName => `${queue}-dead`) : [];

const inTransactions: readonly string[] = [
  'ConditionCheckItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] satisfies readonly TableAction[];

/** Actions with the same partitions share a statement, because they share its condition. */
const tableStatements = (line: ContractLine, { table, transactionGrants }: Reachable): PolicyStatement[] => {
  const granted = Object.entries(line.access.table ?? {});
  const ofTransactions = granted.flatMap(([action, partitions]) => (inTransactions.includes(action) ? partitions : []));
  const actionsOf = new Map<string, { partitions: readonly string[]; actions: string[] }>();
  for (const [action, own] of granted) {
    const partitions = transactionGrants === 'union' && inTransactions.includes(action) ? ofTransactions : own;
    const sorted = [...new Set<Partition>(partitions)].sort();
    const entry = actionsOf.get(sorted.join()) ?? { partitions: sorted, actions: [] };
    entry.actions.push(`dynamodb:${action}`);
    actionsOf.set(sorted.join(), entry);
  }
  return [...actionsOf.values()].map(
    ({ partitions, actions }) =>
      new PolicyStatement({ actions, resources: [table], conditions: leadingKeys(partitions) }),
  );
};

/** `ForAllValues` is also true for a request without a key (a scan), hence `Null`. */
const leadingKeys = (partitions: readonly string[]) => ({
  'ForAllValues:StringLike': {
    'dynamodb:LeadingKeys': partitions.map((partition) => (partition.endsWith('#') ? `${partition}*` : partition)),
  },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
