/** The body of a delivery, and operations that the conversions between API versions share. */
import { isJsonObject } from '../../foundation/exact-json.ts';

/** `event`, if the version has it, and the key of the resource with `current` and `previous`. */
export type Body = Readonly<Record<string, unknown>>;

export type Fields = Readonly<Record<string, unknown>>;

/** Changes `current` and `previous` of one resource; other bodies and empty parts (as of `*.added`) stay. */
export const changeParts = (body: Body, resource: string, change: (fields: Fields) => Fields): Body => {
  const parts = body[resource];
  if (!isJsonObject(parts)) return body;
  const changed = Object.entries(parts).map(([name, part]) => [name, isJsonObject(part) ? change(part) : part]);
  return { ...body, [resource]: Object.fromEntries(changed) };
};

/** Renames a field but keeps its position, because receivers see the order in their logs. */
export const rename = (fields: Fields, from: string, to: string): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name === from ? to : name, value]));

/** Returns all fields except these. */
export const omit = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Returns only these fields. */
export const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
