/** Makes a function's calls repeatable by dropping the conditions that a second write would not meet. */

/** A call of a service, as it stands in the event of the bare handler. */
export interface BareCall {
  readonly service: 'dynamodb' | 'sqs';
  readonly action: string;
  readonly input: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the call without the conditions of its writes. A condition check stays, because it is about an item that the call does not write. */
export const repeatable = (call: BareCall): BareCall => {
  const { ClientRequestToken: _, ...input } = call.input as Members;
  const { TransactItems: items } = input;
  if (!Array.isArray(items)) return { ...call, input: withoutCondition(input) };
  const TransactItems = items.map((item: Record<string, Members>) =>
    Object.fromEntries(
      Object.entries(item).map(([kind, write]) => [kind, kind === 'ConditionCheck' ? write : withoutCondition(write)]),
    ),
  );
  return { ...call, input: { ...input, TransactItems } };
};

/** Drops unused names and values, which DynamoDB would refuse. */
const withoutCondition = ({ ConditionExpression: condition, ...write }: Members): Members => {
  if (condition === undefined) return write;
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...others } = write;
  const used = ` ${others.UpdateExpression ?? ''} `;
  const usedOf = (all: unknown): Members =>
    Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => new RegExp(`${name}(?!\\w)`).test(used)));
  const [usedNames, usedValues] = [usedOf(names), usedOf(values)];
  return {
    ...others,
    ...(Object.keys(usedNames).length > 0 && { ExpressionAttributeNames: usedNames }),
    ...(Object.keys(usedValues).length > 0 && { ExpressionAttributeValues: usedValues }),
  };
};
