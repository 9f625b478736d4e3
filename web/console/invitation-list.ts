/** Reads a pasted list of people to invite, and finds the problems of each line before anything is sent. */
import * as v from 'valibot';
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
  readonly problem?: LineProblem;
  /** Whether an open invite to the address is replaced. */
  readonly replaces: boolean;
}

export interface ListContext {
  /** The roles that the inviter can assign. */
  readonly roles: readonly Role[];
  /** The role of lines that do not name one. */
  readonly role: Role | undefined;
  /** What the console calls a role, which lines may name as well. */
  readonly roleName: (name: string) => string;
  /** Addresses of staff members and of open invites that are already known. */
  readonly members: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
}

export const normalized = (email: string): string => email.trim().toLowerCase();

/** Ghost's maximum length of an address, as in `shared/invites/schema.ts`. */
const address = emailAddress(191);

/**
 * Reads lines such as `ada@example.com`, `Ada <ada@example.com>` and `ada@example.com, Author`; one line can have several addresses,
 * separated by commas, semicolons or tabs.
 */
export const readList = (
  text: string,
  { roles, role, roleName: shownName, members, open }: ListContext,
): readonly ListEntry[] => {
  const seen = new Map<string, number>();
  return text.split('\n').flatMap((content, index) =>
    entriesOf(content).map(({ email, roleName }): ListEntry => {
      const line = index + 1;
      const own =
        roleName === undefined
          ? role
          : roles.find(({ name }) => sameName(name, roleName) || sameName(shownName(name), roleName));
      const entry = { line, email, role: own, replaces: open.has(normalized(email)) };
      const first = seen.get(normalized(email));
      seen.set(normalized(email), first ?? line);
      if (!v.is(address, email)) return { ...entry, problem: { kind: 'address' } };
      if (first !== undefined) return { ...entry, problem: { kind: 'repeated', line: first } };
      if (roleName !== undefined && own === undefined) return { ...entry, problem: { kind: 'role', name: roleName } };
      if (members.has(normalized(email))) return { ...entry, problem: { kind: 'member' } };
      return entry;
    }),
  );
};

interface Written {
  readonly email: string;
  readonly roleName?: string;
}

/** A part without an @ is the role of the address before it. */
const entriesOf = (line: string): readonly Written[] => {
  const entries: Written[] = [];
  for (const part of line.split(/[,;\t]/).map((one) => one.trim())) {
    const last = entries.at(-1);
    if (part === '') continue;
    if (part.includes('@') || last === undefined)
      entries.push({ email: /<([^<>]*)>$/.exec(part)?.[1]?.trim() ?? part });
    else entries[entries.length - 1] = { ...last, roleName: part };
  }
  return entries;
};

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
