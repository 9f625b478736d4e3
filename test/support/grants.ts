/** The IAM report: every grant of the policies, used or unused by a run of the tests. */

import type { Names } from '../../infra/emulator/names.ts';
import type { Policies, StatementData } from '../../infra/emulator/proxy/statements.ts';

export interface Grant {
  /** The function, action, and resource or partition: `webhooks/create: dynamodb:PutItem on WEBHOOK#*`. */
  readonly text: string;
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  /** Its position in the policies, as `PolicyCheck.used` names it. */
  readonly position: string;
}

/** Returns one grant for each action, resource and partition that a statement allows. */
export const grantsOf = (policies: Policies, { functions }: Pick<Names, 'functions'>): readonly Grant[] =>
  Object.entries(policies).flatMap(([functionName, statements]) =>
    statements.flatMap((statement, position) =>
      statement.Effect === 'Deny'
        ? []
        : statement.Action.flatMap((action, a) =>
            statement.Resource.flatMap((resource, r) =>
              partitionsOf(statement).map((partition, p) => {
                const place = partition ?? resource.split(':').slice(5).join(':');
                return {
                  text: `${functions[functionName] ?? functionName}: ${action} on ${place}`,
                  action,
                  position: `${functionName} ${position} ${a} ${r} ${p}`,
                };
              }),
            ),
          ),
    ),
  );

const partitionsOf = ({ Condition }: StatementData): readonly (string | undefined)[] => {
  for (const [operator, demands] of Object.entries(Condition))
    if (operator !== 'Null' && demands['dynamodb:LeadingKeys'] !== undefined) return demands['dynamodb:LeadingKeys'];
  return [undefined];
};

/** Grants that a function's own code never uses, with the reason why they are needed. */
const exemptions: readonly { readonly actions: RegExp; readonly reason: string }[] = [
  { actions: /^logs:/, reason: "Lambda writes the function's log with its role" },
  {
    actions: /^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$/,
    reason: "Lambda's poller reads the function's queue with its role",
  },
  { actions: /^sqs:ChangeMessageVisibility$/, reason: 'only calls of more than a second change it' },
  { actions: /^kms:/, reason: "DynamoDB, SQS and Lambda decrypt with the caller's role" },
];

const exemptionOf = ({ action }: Grant): string | undefined =>
  exemptions.find(({ actions }) => actions.test(action))?.reason;

/** Returns the required grants that were not used; `used` are positions. */
export const unusedGrants = (grants: readonly Grant[], used: ReadonlySet<string>): readonly Grant[] =>
  grants.filter((grant) => !used.has(grant.position) && exemptionOf(grant) === undefined);

/** The actions that a transaction can have. */
const inTransactions = /^dynamodb:(ConditionCheckItem|PutItem|UpdateItem|DeleteItem)$/;

/** Returns the functions that have several such actions, and used none of their grants for them. */
export const withoutTransaction = (grants: readonly Grant[], used: ReadonlySet<string>): readonly string[] => {
  const writes = grants.filter(({ action }) => inTransactions.test(action));
  return [...Map.groupBy(writes, ({ position }) => position.split(' ')[0] ?? '')]
    .filter(([, own]) => new Set(own.map(({ action }) => action)).size > 1)
    .filter(([, own]) => !own.some(({ position }) => used.has(position)))
    .map(([name]) => name);
};

export interface GrantsReport {
  readonly text: string;
  readonly unused: readonly string[];
  readonly summary: string;
}

/** Writes the report; `used` are the positions of the used grants. */
export const reportGrants = (grants: readonly Grant[], used: ReadonlySet<string>): GrantsReport => {
  const unused = new Set(unusedGrants(grants, used));
  const states = grants.map((grant) => {
    const state = unused.has(grant) ? 'UNUSED' : `exempt: ${exemptionOf(grant)}`;
    return { text: grant.text, state: used.has(grant.position) ? 'used' : state };
  });
  const count = (prefix: string) => states.filter(({ state }) => state.startsWith(prefix)).length;
  const summary =
    `IAM: ${grants.length} grants, ${count('used')} used, ${count('exempt')} exempt, ` +
    `${unused.size === 0 ? 'none' : unused.size} unused`;
  const width = Math.max(0, ...states.map(({ text }) => text.length));
  const lines = states.map(({ text, state }) => `${text.padEnd(width)}  ${state}`).toSorted((a, b) => (a < b ? -1 : 1));
  return {
    text: `${[summary, '', ...lines].join('\n')}\n`,
    unused: [...unused].map(({ text }) => text).toSorted(),
    summary,
  };
};
