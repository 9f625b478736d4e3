/** Attribute values as the document client has them: copied in both directions, so that stored items are not shared. */
import { invalid } from './errors.ts';

export type Attributes = Record<string, unknown>;

/** The size of a copied value in bytes, roughly as DynamoDB counts it. */
export interface Size {
  bytes: number;
}

/** Returns a copy of a value without undefined members. @throws Error for what the document client can't marshal */
export const copied = (value: unknown, size: Size): unknown => {
  switch (typeof value) {
    case 'string':
      size.bytes += Buffer.byteLength(value);
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new Error(`Special numeric value ${value} is not allowed`);
      size.bytes += 8;
      return value;
    case 'boolean':
    case 'bigint':
      size.bytes += 1;
      return value;
    case 'object':
      return copiedObject(value, size);
    default:
      throw new Error(`Unsupported type passed: ${String(value)}.`);
  }
};

const copiedObject = (value: object | null, size: Size): unknown => {
  size.bytes += 3;
  if (value === null) return null;
  if (Array.isArray(value)) return value.filter(isDefined).map((member) => copied(member, size));
  if (value instanceof Set) return new Set([...value].map((member) => copied(member, size)));
  if (value instanceof Uint8Array) {
    size.bytes += value.length;
    return value.slice();
  }
  const type: unknown = value.constructor;
  if (typeof type === 'function' && type !== Object)
    throw new Error(`Unsupported type passed: ${type.name}. Pass options.convertClassInstanceToMap=true.`);
  const copy: Attributes = {};
  for (const [name, member] of Object.entries(value)) {
    if (!isDefined(member)) continue;
    size.bytes += name.length;
    copy[name] = copied(member, size);
  }
  return copy;
};

const isDefined = (value: unknown): boolean => value !== undefined && typeof value !== 'function';

/** Returns an unshared copy of an item. */
export const itemCopy = (item: Attributes, size: Size = { bytes: 0 }): Attributes => copied(item, size) as Attributes;

/** Returns whether two values are equal in DynamoDB. */
export const isSame = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Set && right instanceof Set)
    return left.size === right.size && [...left].every((member) => right.has(member));
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [ours, theirs] = [left as Attributes, right as Attributes];
  const names = Object.keys(ours);
  return names.length === Object.keys(theirs).length && names.every((name) => isSame(ours[name], theirs[name]));
};

/** Returns DynamoDB's one-letter name of a value's type. */
export const typeOf = (value: unknown): string => {
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number' || typeof value === 'bigint') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Uint8Array) return 'B';
  if (value instanceof Set) return [...value].every((member) => typeof member === 'string') ? 'SS' : 'NS';
  return 'M';
};

/** Refuses an item over DynamoDB's limit of 400 KB. */
export const checkSize = ({ bytes }: Size): void => {
  if (bytes > 400 * 1024) throw invalid('Item size has exceeded the maximum allowed size');
};
