/** Every single thing that the policies grant, and which of it nobody has used. */
import { functionOf } from './function-of.ts';
import type { Policies, StatementData } from './statements.ts';

export interface Grant {
  /** Physical name of the function. */
  readonly functionName: string;
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  readonly resource: string;
  /** Pattern of the partition keys; empty where the grant speaks of none. */
  readonly partition: string;
  /** Its position in the policies, as `PolicyCheck.used` names it. */
  readonly position: string;
}

/** One grant for each action, resource and partition that a statement allows. */
export const grantsOf = (policies: Policies): readonly Grant[] =>
  Object.entries(policies).flatMap(([functionName, statements]) =>
    statements.flatMap((statement, position) =>
      statement.Effect === 'Deny'
        ? []
        : statement.Action.flatMap((action, a) =>
            statement.Resource.flatMap((resource, r) =>
              partitionsOf(statement).map((partition, p) => ({
                functionName,
                action,
                resource,
                partition,
                position: `${functionName} ${position} ${a} ${r} ${p}`,
              })),
            ),
          ),
    ),
  );

const partitionsOf = ({ Condition }: StatementData): readonly string[] => {
  for (const [operator, demands] of Object.entries(Condition))
    if (operator !== 'Null' && demands['dynamodb:LeadingKeys'] !== undefined) return demands['dynamodb:LeadingKeys'];
  return [''];
};

/** Grants that no call of a function's own code ever uses, each with the reason why they are needed all the same. */
const exemptions: readonly { readonly actions: RegExp; readonly reason: string }[] = [
  { actions: /^logs:/, reason: "Lambda writes the function's log with its role" },
  {
    actions: /^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$/,
    reason: "Lambda's poller reads the function's queue with its role",
  },
  { actions: /^kms:/, reason: 'DynamoDB, SQS and Lambda decrypt with the role of whoever calls them' },
];

/** Why a grant need not be used by the function itself; undefined where it must be. */
export const exemptionOf = ({ action }: Grant): string | undefined =>
  exemptions.find(({ actions }) => actions.test(action))?.reason;

/** The grants that must be used and were not; `used` are positions. */
export const unusedGrants = (grants: readonly Grant[], used: ReadonlySet<string>): readonly Grant[] =>
  grants.filter((grant) => !used.has(grant.position) && exemptionOf(grant) === undefined);

/** A grant in one line, for people: `webhooks/create: dynamodb:PutItem on WEBHOOK#*`. */
export const grantText = ({ functionName, action, resource, partition }: Grant): string =>
  `${functionOf(functionName)}: ${action} on ${partition === '' ? resource.split(':').slice(5).join(':') : partition}`;
