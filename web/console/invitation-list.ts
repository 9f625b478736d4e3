/** Reads a pasted list of people to invite, and finds the problems of each line before anything is sent. */
import * as v from 'valibot';
import { readAddresses } from '../../shared/foundation/address-list.ts';
import { emailAddress } from '../../shared/foundation/email.ts';
import type { Role } from './api/resources.ts';

export type LineProblem =
  | { readonly kind: 'address' }
  | { readonly kind: 'repeated'; readonly line: number }
  | { readonly kind: 'role'; readonly name: string }
  | { readonly kind: 'member' };

export interface ListEntry {
  /** Line number, starting at 1. */
  readonly line: number;
  /** The address, or the text that stands in its place. */
  readonly email: string;
  readonly role: Role | undefined;
  /** What the list calls its role, if a column names one. */
  readonly roleName?: string;
  readonly problem?: LineProblem;
  /** Whether an open invite to the address is replaced. */
  readonly replaces: boolean;
  /** The role of that invite, if the new one changes it. */
  readonly roleBefore?: Role;
}

export interface ListContext {
  readonly roles: readonly Role[];
  readonly role: Role | undefined;
  /** What the console calls a role, which lines may name as well. */
  readonly roleName: (name: string) => string;
  /** Addresses of staff members that are already known. */
  readonly members: ReadonlySet<string>;
  /** The ids of the roles of open invites that are already known, by address. */
  readonly open: ReadonlyMap<string, string>;
}

export const normalized = (email: string): string => email.trim().toLowerCase();

/** Ghost's maximum length of an address, as in `shared/invites/schema.ts`. */
const address = emailAddress(191);

/** Reads a list of people (`address-list.ts`). Each gets the chosen role, unless a column names another one. */
export const readList = (
  text: string,
  { roles, role, roleName: shownName, members, open }: ListContext,
): readonly ListEntry[] => {
  const seen = new Map<string, number>();
  return readAddresses(text).map(({ line, email, roleName }): ListEntry => {
    const own =
      roleName === undefined
        ? role
        : roles.find(({ name }) => sameName(name, roleName) || sameName(shownName(name), roleName));
    const roleBefore = roles.find(({ id }) => id === open.get(normalized(email)));
    const entry = {
      line,
      email,
      role: own,
      ...(roleName !== undefined && { roleName }),
      replaces: open.has(normalized(email)),
      ...(roleBefore !== undefined && roleBefore.id !== own?.id && { roleBefore }),
    };
    const first = seen.get(normalized(email));
    seen.set(normalized(email), first ?? line);
    if (!v.is(address, email)) return { ...entry, problem: { kind: 'address' } };
    if (first !== undefined) return { ...entry, problem: { kind: 'repeated', line: first } };
    if (roleName !== undefined && own === undefined) return { ...entry, problem: { kind: 'role', name: roleName } };
    if (members.has(normalized(email))) return { ...entry, problem: { kind: 'member' } };
    return entry;
  });
};

/** Returns the text of a list, which `readList` reads as the same entries. */
export const writeList = (entries: readonly ListEntry[]): string =>
  entries.some(({ roleName }) => roleName !== undefined)
    ? ['Email\tRole', ...entries.map(({ email, roleName = '' }) => `${email}\t${roleName}`)].join('\n')
    : entries.map(({ email }) => email).join('\n');

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
