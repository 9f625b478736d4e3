/** Evaluates a resource's policy for one request, as IAM does: an explicit Deny wins, and no Allow is a Deny. */
import * as v from 'valibot';

const list = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

export const statement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Principal: v.union([v.literal('*'), v.strictObject({ AWS: list }), v.strictObject({ Service: list })]),
  Action: list,
  Resource: list,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), list)), {}),
});

export const policyDocument = v.looseObject({ Statement: v.array(statement) });

export interface ServiceRequest {
  /** The service that makes the request, such as `cloudwatch.amazonaws.com`. */
  readonly service: string;
  readonly account?: string;
  readonly action: string;
  readonly resource: string;
  /** The condition keys of the request, such as `aws:SourceAccount`. */
  readonly context: Readonly<Record<string, string>>;
}

/** Whether the policy allows the request. @throws Error for a condition operator that is not implemented here */
export const allows = ({ Statement }: v.InferOutput<typeof policyDocument>, request: ServiceRequest): boolean => {
  const effects = Statement.filter((one) => applies(one, request)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const applies = (
  { Principal, Action, Resource: resources, Condition }: v.InferOutput<typeof statement>,
  request: ServiceRequest,
): boolean => {
  const { account } = request;
  // `*` is everybody: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
  const isCaller =
    Principal === '*' ||
    ('AWS' in Principal
      ? Principal.AWS.some((caller) => caller === '*' || (account !== undefined && caller.includes(`::${account}:`)))
      : Principal.Service.includes(request.service));
  return (
    isCaller &&
    Action.some((pattern) => isLike(pattern.toLowerCase(), request.action.toLowerCase())) &&
    resources.some((pattern) => isLike(pattern, request.resource)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, values]) => holds(operator, values, request.context[key])),
    )
  );
};

const holds = (operator: string, values: readonly string[], found: string | undefined): boolean => {
  if (found === undefined) return false;
  switch (operator) {
    case 'Bool':
    case 'StringEquals':
      return values.includes(found);
    case 'ArnEquals':
    case 'ArnLike':
      return values.some((pattern) => isLike(pattern, found));
    default:
      throw new Error(`The operator ${operator} is not implemented.`);
  }
};

/** IAM's wildcards: `*` for any text, `?` for one character. */
const isLike = (pattern: string, text: string): boolean => {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
};
