/** The body of a delivery as the steps between API versions see it. */

/** `event`, if the version has it, and the resource's key with `current` and `previous`. */
export type Body = Readonly<Record<string, unknown>>;

export type Fields = Readonly<Record<string, unknown>>;

/**
 * A body whose `current` and `previous` of one resource are changed; as it is if it is about another resource.
 * A part without fields stays so: `previous` on `*.added`, `current` on `*.deleted`.
 */
export function changeParts(body: Body, resource: string, change: (fields: Fields) => Fields): Body {
  const parts = body[resource];
  if (!isFields(parts)) return body;
  const changed = Object.entries(parts).map(([name, part]) => [name, isFields(part) ? change(part) : part]);
  return { ...body, [resource]: Object.fromEntries(changed) };
}

/** Fields with one of them under another name, in the same place, since receivers see the order in their logs. */
export function rename(fields: Fields, from: string, to: string): Fields {
  if (!(from in fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name === from ? to : name, value]));
}

/** Fields without some of them. */
export function omit(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Fields without all but some of them. */
export function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
