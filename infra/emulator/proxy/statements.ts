/** Compiles the policies of the functions' roles in the templates, so that a decision costs microseconds. */
import * as v from 'valibot';
import { type Resource, TemplateError } from '../cloudformation.ts';

const list = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

const statementSchema = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: list,
  Resource: list,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), list)), {}),
});

const documentSchema = v.object({ Statement: v.array(statementSchema) });

const roleSchema = v.object({
  ManagedPolicyArns: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(0)), []),
  Policies: v.optional(v.array(v.object({ PolicyDocument: documentSchema })), []),
});

const attachedSchema = v.object({ Roles: v.array(v.string()), PolicyDocument: documentSchema });

export type StatementData = v.InferOutput<typeof statementSchema>;

/** Statements of each function's role, by the function's physical name. */
export type Policies = Readonly<Record<string, readonly StatementData[]>>;

/**
 * Returns the policy statements of each function in the templates.
 * @throws TemplateError or valibot's error for policies of a kind that the proxy does not enforce
 */
export const readPolicies = (resources: readonly Resource[]): Policies => {
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const roles = new Map(ofType('AWS::IAM::Role').map((role) => [role.id, role]));
  const attached = ofType('AWS::IAM::Policy').map(({ properties }) => v.parse(attachedSchema, properties));
  const statementsOf = (id: string) => {
    const role = roles.get(id);
    if (role === undefined) throw new TemplateError(`the role ${id} does not exist`);
    return [
      ...v.parse(roleSchema, role.properties).Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      ...attached.filter(({ Roles }) => Roles.includes(id)).flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    ];
  };
  return Object.fromEntries(
    ofType('AWS::Lambda::Function').map(({ properties }) => {
      const { FunctionName, Role } = v.parse(v.object({ FunctionName: v.string(), Role: v.string() }), properties);
      return [FunctionName, statementsOf(Role.split('/').at(-1) ?? '')];
    }),
  );
};

/** The values of a request that conditions refer to; absent values are undefined. */
export type Context = Readonly<Record<ContextKey, readonly string[] | undefined>>;

const contextKeys = ['dynamodb:LeadingKeys', 'ses:FromAddress'] as const;
type ContextKey = (typeof contextKeys)[number];

export interface Pattern {
  readonly text: string;
  matches(value: string): boolean;
}

export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly Pattern[];
  readonly resources: readonly Pattern[];
  readonly keys: readonly Pattern[];
  readonly conditions: readonly ((context: Context) => boolean)[];
}

/** @throws TemplateError for a condition that the proxy cannot enforce */
export const compile = ({ Effect, Action, Resource, Condition }: StatementData): Statement => {
  const conditions: ((context: Context) => boolean)[] = [];
  let keys: readonly Pattern[] = [];
  for (const [operator, demands] of Object.entries(Condition))
    for (const [name, values] of Object.entries(demands)) {
      const key = contextKeys.find((known) => known === name);
      const make = operators[operator];
      if (key === undefined || make === undefined)
        throw new TemplateError(`the condition ${operator} on ${name} is not supported by the proxy`);
      const holds = make(values);
      conditions.push((context) => holds(context[key]));
      if (key === 'dynamodb:LeadingKeys' && operator !== 'Null') keys = values.map(like);
    }
  return {
    effect: Effect,
    actions: Action.map((action) => like(action)),
    resources: Resource.map(like),
    keys,
    conditions,
  };
};

type Test = (values: readonly string[] | undefined) => boolean;

const some = (patterns: readonly Pattern[], value: string | undefined) =>
  value !== undefined && patterns.some((pattern) => pattern.matches(value));

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html */
const operators: Readonly<Record<string, (values: readonly string[]) => Test>> = {
  StringEquals: (values) => (found) => found?.length === 1 && values.includes(found[0] ?? ''),
  StringLike(values) {
    const patterns = values.map(like);
    return (found) => found?.length === 1 && some(patterns, found[0]);
  },
  // Also true for a request without the key: `Null` checks for that.
  'ForAllValues:StringEquals': (values) => (found) => (found ?? []).every((value) => values.includes(value)),
  'ForAllValues:StringLike'(values) {
    const patterns = values.map(like);
    return (found) => (found ?? []).every((value) => some(patterns, value));
  },
  Null: (values) => (found) => (found === undefined || found.length === 0) === (values[0] === 'true'),
};

/** Returns a test for IAM's wildcards: `*` is any text, `?` one character. */
const like = (text: string): Pattern => {
  if (!/[*?]/.test(text)) return { text, matches: (value) => value === text };
  const beginning = text.slice(0, -1);
  if (text.endsWith('*') && !/[*?]/.test(beginning)) return { text, matches: (value) => value.startsWith(beginning) };
  const escaped = text
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${escaped}$`, 's');
  return { text, matches: (value) => expression.test(value) };
};
