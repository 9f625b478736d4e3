/** Conditions and changes of an item as plain data, and their translation into DynamoDB's expressions. */

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

export type Condition =
  | { readonly op: 'exists' | 'missing'; readonly attribute: string }
  | { readonly op: '=' | '<>' | '<' | '<=' | '>' | '>='; readonly attribute: string; readonly value: Value }
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] };

/** The item, or one attribute of it, exists. */
export const exists = (attribute = 'pk'): Condition => ({ op: 'exists', attribute });
/** The item, or one attribute of it, is missing. */
export const missing = (attribute = 'pk'): Condition => ({ op: 'missing', attribute });
export const is = (attribute: string, value: Value): Condition => ({ op: '=', attribute, value });
/** The attribute has the value that was read; undefined: it is absent. */
export const isStill = (attribute: string, value: Value | undefined): Condition =>
  value === undefined ? missing(attribute) : is(attribute, value);
export const isNot = (attribute: string, value: Value): Condition => ({ op: '<>', attribute, value });
export const below = (attribute: string, value: number | string): Condition => ({ op: '<', attribute, value });
export const notBelow = (attribute: string, value: number | string): Condition => ({ op: '>=', attribute, value });
export const allOf = (...conditions: Condition[]): Condition => ({ op: 'and', conditions });
export const anyOf = (...conditions: Condition[]): Condition => ({ op: 'or', conditions });

/** The changes of an update: sets and removes attributes, adds to numbers, appends to lists. */
export interface Change {
  readonly set?: { readonly [attribute: string]: Value | undefined };
  readonly remove?: readonly string[];
  readonly add?: { readonly [attribute: string]: number };
  readonly append?: { readonly [attribute: string]: readonly Value[] };
}

/** Collects names and values of an expression under placeholders, because attribute names can be reserved words. */
export class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, Value> = {};
  private count = 0;

  name(attribute: string): string {
    const placeholder = `#${attribute}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value: Value): string {
    const placeholder = `:v${this.count++}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  /** The two members of a command that explain the placeholders; DynamoDB refuses empty ones. */
  members(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Record<string, Value> } {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    };
  }
}

/** The condition as a DynamoDB condition expression. */
export const conditionExpression = (condition: Condition, placeholders: Placeholders): string => {
  switch (condition.op) {
    case 'exists':
      return `attribute_exists(${placeholders.name(condition.attribute)})`;
    case 'missing':
      return `attribute_not_exists(${placeholders.name(condition.attribute)})`;
    case 'and':
    case 'or':
      return condition.conditions
        .map((inner) => `(${conditionExpression(inner, placeholders)})`)
        .join(` ${condition.op.toUpperCase()} `);
    default:
      return `${placeholders.name(condition.attribute)} ${condition.op} ${placeholders.value(condition.value)}`;
  }
};

/** The change as a DynamoDB update expression. */
export const updateExpression = (change: Change, placeholders: Placeholders): string => {
  const set = Object.entries(change.set ?? {}).flatMap(([attribute, value]) =>
    value === undefined ? [] : [`${placeholders.name(attribute)} = ${placeholders.value(value)}`],
  );
  const append = Object.entries(change.append ?? {}).map(([attribute, value]) => {
    const name = placeholders.name(attribute);
    return `${name} = list_append(if_not_exists(${name}, ${placeholders.value([])}), ${placeholders.value(value)})`;
  });
  const add = Object.entries(change.add ?? {}).map(
    ([attribute, value]) => `${placeholders.name(attribute)} ${placeholders.value(value)}`,
  );
  const remove = (change.remove ?? []).map((attribute) => placeholders.name(attribute));
  const sets = [...set, ...append];
  return [
    sets.length > 0 && `SET ${sets.join(', ')}`,
    add.length > 0 && `ADD ${add.join(', ')}`,
    remove.length > 0 && `REMOVE ${remove.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' ');
};

/** Returns a write's members for its condition; an update expression adds those of shared `placeholders` itself. */
export const conditionOf = (condition: Condition | undefined, placeholders?: Placeholders) => {
  if (condition === undefined) return {};
  const own = placeholders ?? new Placeholders();
  return {
    ConditionExpression: conditionExpression(condition, own),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...own.members(),
  };
};
