/** Emulates IAM at the proxy: checks each AWS call against the policy of the calling function in the template. */
import { accountId } from '../account.ts';
import type { Names } from '../names.ts';
import { type Need, needsOf, type PartitionKeys, type Transactions } from './authorization.ts';
import { type Answer, type Call, jsonError, type Step, unknownCaller, xmlError } from './call.ts';
import { compile, type Policies, type Statement } from './statements.ts';

export type PolicyCheck = ReturnType<typeof checkPolicies>;

interface Options {
  readonly partitionKeys: PartitionKeys;
  readonly names: Names;
  /** How transactions are read. Default: `apart`. */
  readonly transactions?: Transactions;
  /** Called for each refused call. Unlike AWS's own message, this one names function, action and partition. */
  readonly onRefusal: (message: string) => void;
}

/** Compiles the policies, and records which parts of them are used. */
export const checkPolicies = (policies: Policies, { partitionKeys, names, onRefusal, transactions }: Options) => {
  const compiled = new Map(Object.entries(policies).map(([name, statements]) => [name, statements.map(compile)]));
  const used = new Set<string>();
  const isAllowed = (functionName: string, need: Need): boolean => {
    const statements = compiled.get(functionName) ?? [];
    let allowedBy: number | undefined;
    for (const [position, statement] of statements.entries()) {
      if (!covers(statement, need)) continue;
      if (statement.effect === 'Deny') return false;
      allowedBy ??= position;
    }
    const statement = allowedBy === undefined ? undefined : statements[allowedBy];
    if (statement === undefined) return false;
    for (const use of usesOf(statement, need)) used.add(`${functionName} ${allowedBy} ${use}`);
    return true;
  };
  const step: Step = async (call, next) => {
    if (!compiled.has(call.caller)) return unknownCaller(call);
    const refused = needsOf(call, partitionKeys, transactions).find((need) => !isAllowed(call.caller, need));
    if (refused === undefined) return next(call);
    onRefusal(`${names.functions[call.caller] ?? call.caller} was refused ${textOf(refused)}`);
    return accessDenied(call, refused);
  };
  return {
    step,
    /** Returns whether the function may do this. No call is made, but the grant counts as used. */
    allows: isAllowed,
    /**
     * The used grants, as `<function> <statement> <action> <resource> <partition>`. `<function>` is a name; the others
     * are indexes: of the statement in the function's policy, and of the rest in that statement.
     */
    used: (): ReadonlySet<string> => used,
  };
};

const textOf = ({ action, resource, context }: Need): string => {
  const keys = new Set(context['dynamodb:LeadingKeys']);
  return keys.size === 0 ? `${action} on ${resource}` : `${action} on ${[...keys].join(', ')} in ${resource}`;
};

const covers = (statement: Statement, { action, resource, context }: Need): boolean =>
  statement.actions.some((pattern) => pattern.matches(action)) &&
  statement.resources.some((pattern) => pattern.matches(resource)) &&
  statement.conditions.every((holds) => holds(context));

const usesOf = (statement: Statement, { action, resource, context }: Need): string[] => {
  const onAction = statement.actions.findIndex((pattern) => pattern.matches(action));
  const onResource = statement.resources.findIndex((pattern) => pattern.matches(resource));
  const keys = context['dynamodb:LeadingKeys'] ?? [];
  const partitions =
    statement.keys.length === 0 ? [0] : keys.map((key) => statement.keys.findIndex((pattern) => pattern.matches(key)));
  return partitions.map((partition) => `${onAction} ${onResource} ${partition}`);
};

/** AWS's words (IAM User Guide, "Troubleshoot access denied"); SQS uses lower case, SES its own quotation marks. */
const accessDenied = (call: Call, { action, resource }: Need): Answer => {
  const user = `arn:aws:sts::${accountId}:assumed-role/${call.caller}/${call.caller}`;
  if (call.service === 'ses')
    return xmlError(
      403,
      'AccessDenied',
      `User \`${user}' is not authorized to perform \`${action}' on resource \`${resource}'`,
    );
  const named = call.service === 'sqs' ? action.toLowerCase() : action;
  return jsonError(
    400,
    'com.amazon.coral.service#AccessDeniedException',
    `User: ${user} is not authorized to perform: ${named} on resource: ${resource} ` +
      `because no identity-based policy allows the ${named} action`,
  );
};
