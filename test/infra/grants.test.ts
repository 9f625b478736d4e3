/** Every function has a role of its own, whose policy grants exactly what the function's line in the contract says. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { groupOf } from '../../infra/cdk/function-groups.ts';
import type { StageConfig } from '../../infra/cdk/stage.ts';
import type { ContractLine } from '../../shared/contract.ts';
import { arn } from './resolved.ts';
import { ofTable, existing as union } from './stages.ts';
import { functionName, lines, synthesized } from './synthesized.ts';

const text = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);
const statement = v.strictObject({
  Effect: v.literal('Allow'),
  Action: text,
  Resource: text,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), text))),
});
const role = v.looseObject({
  AssumeRolePolicyDocument: v.object({
    Statement: v.array(v.object({ Principal: v.object({ Service: v.optional(v.string()) }) })),
  }),
  ManagedPolicyArns: v.optional(v.array(v.unknown()), []),
  Policies: v.optional(v.array(v.object({ PolicyDocument: v.object({ Statement: v.array(statement) }) })), []),
});
const lambda = v.looseObject({ FunctionName: v.string(), Role: v.string() });

/** Returns one permission per line: action, resource and conditions. */
const permissionsIn = (statements: readonly v.InferOutput<typeof statement>[]): string[] => {
  return statements
    .flatMap(({ Action, Resource: resources, Condition = {} }) => {
      const demands = Object.entries(Condition).flatMap(([operator, keys]) =>
        Object.entries(keys).map(([key, values]) => `${operator} ${key} ${[...values].sort().join(' ')}`),
      );
      return Action.flatMap((action) => resources.map((on) => [action, 'on', on, ...demands.sort()].join(' ')));
    })
    .sort();
};

const expectedOf = (
  line: ContractLine,
  stage: string,
  { from, sandbox }: StageConfig['settings']['mail'],
  transactionGrants: StageConfig['transactionGrants'],
): string[] => {
  const table = arn('dynamodb', `table/masthead-${stage}`);
  const queue = (name: string) => arn('sqs', `masthead-${stage}-${name}`);
  const leadingKeys = (keys: readonly string[]) =>
    `ForAllValues:StringLike dynamodb:LeadingKeys ${[...new Set(keys)].sort().join(' ')} Null ` +
    'dynamodb:LeadingKeys false';
  const permissions: string[] = [];
  const granted = Object.entries(line.access.table ?? {});
  const isWrite = (action: string) => ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].includes(action);
  const written = granted.flatMap(([action, partitions]) => (isWrite(action) ? partitions : []));
  for (const [action, own] of granted) {
    const partitions = transactionGrants === 'union' && isWrite(action) ? written : own;
    const keys = partitions.map((partition) => (partition.endsWith('#') ? `${partition}*` : partition));
    permissions.push(`dynamodb:${action} on ${table} ${leadingKeys(keys)}`);
  }
  for (const index of line.access.indexes ?? []) permissions.push(`dynamodb:Query on ${table}/index/${index}`);
  for (const name of line.access.send ?? []) permissions.push(`sqs:SendMessage on ${queue(name)}`);
  for (const name of line.access.measure ?? []) permissions.push(`sqs:GetQueueAttributes on ${queue(name)}`);
  if (line.kind === 'queue') {
    for (const source of line.sources) {
      permissions.push(`sqs:SendMessage on ${queue(`${source.queue}-dead`)}`);
      for (const action of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility']) {
        permissions.push(`sqs:${action} on ${queue(source.queue)}`);
      }
    }
  }
  if (line.access.mail) {
    const recipients = sandbox ? ['identity/*'] : [];
    for (const on of [`identity/${from.split('@')[1]}`, `configuration-set/masthead-${stage}`, ...recipients]) {
      permissions.push(`ses:SendRawEmail on ${arn('ses', on)} StringEquals ses:FromAddress ${from}`);
    }
  }
  for (const action of ['CreateLogStream', 'PutLogEvents']) {
    permissions.push(`logs:${action} on ${arn('logs', `log-group:/masthead/${stage}/${groupOf(line)}:*`)}`);
  }
  return permissions.sort();
};

const templates = synthesized();

describe.each([...ofTable, union])('the stage $name', ({ name: stage, settings, transactionGrants }) => {
  const functions = () => templates.of(stage, 'Lambda::Function', lambda);
  const roles = () => templates.of(stage, 'IAM::Role', role);
  const roleOf = (line: ContractLine) => {
    const found = functions().find(({ properties }) => properties.FunctionName === functionName(stage, line));
    return roles().find(({ id }) => found?.properties.Role === `${id}.Arn`);
  };

  it.each(lines)('grants $function exactly the access in its line', (line) => {
    const { Policies = [] } = roleOf(line)?.properties ?? {};
    const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(permissionsIn(statements)).toEqual(expectedOf(line, stage, settings.mail, transactionGrants));
  });

  it(`${settings.mail.sandbox ? 'lets' : 'does not let'} the mailer use any identity, as a sandbox needs`, () => {
    const mailers = lines.filter(({ access }) => 'mail' in access);
    expect(mailers).not.toEqual([]);
    for (const line of mailers) {
      const { Policies = [] } = roleOf(line)?.properties ?? {};
      const sending = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).filter(({ Action }) =>
        Action.includes('ses:SendRawEmail'),
      );
      const anyIdentity = sending.filter(({ Resource: on }) => on.includes(arn('ses', 'identity/*')));
      expect(anyIdentity.length > 0).toBe(settings.mail.sandbox);
      for (const { Condition } of sending) {
        expect(Condition).toEqual({ StringEquals: { 'ses:FromAddress': [settings.mail.from] } });
      }
    }
  });

  it.each([
    ['the key of the index', ['DUE#3']],
    ['the keys of the table’s items', ['WEBHOOK#65a1', 'INVITES']],
    ['absent', []],
  ])(
    'allows queries of the index only for its own partitions, wherever `dynamodb:LeadingKeys` is %s',
    (_reading, leadingKeys) => {
      const readers = lines.filter(({ access }) => access.indexes?.includes('due'));
      expect(readers).not.toEqual([]);
      for (const line of readers) {
        const { Policies = [] } = roleOf(line)?.properties ?? {};
        const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
        const allowing = statements.filter(
          ({ Action, Resource: on, Condition = {} }) =>
            Action.includes('dynamodb:Query') &&
            on.some((resource) => resource.endsWith('/index/due')) &&
            Object.entries(Condition).every(([operator, keys]) =>
              Object.values(keys).every((values) =>
                operator === 'Null'
                  ? leadingKeys.length > 0
                  : leadingKeys.every((key) => values.some((pattern) => key.startsWith(pattern.replace('*', '')))),
              ),
            ),
        );
        expect(allowing, line.function).not.toEqual([]);
      }
    },
  );

  it('has one role for each function', () => {
    const used = functions().map(({ properties }) => properties.Role);
    expect(used).toHaveLength(lines.length);
    expect(new Set(used).size).toBe(lines.length);
  });

  it('allows only Lambda to assume a function’s role, which has no managed policies', () => {
    for (const line of lines) {
      const { AssumeRolePolicyDocument, ManagedPolicyArns } = roleOf(line)?.properties ?? {};
      expect(AssumeRolePolicyDocument?.Statement.map(({ Principal }) => Principal.Service)).toEqual([
        'lambda.amazonaws.com',
      ]);
      expect(ManagedPolicyArns).toEqual([]);
    }
  });

  it('has no policies outside the roles', () => {
    const types = templates.all(stage).map(({ type }) => type);
    expect(types.filter((type) => /^IAM::(Policy|ManagedPolicy|UserPolicy|RolePolicy|User|Group)$/.test(type))).toEqual(
      [],
    );
  });
});
