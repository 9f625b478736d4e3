/** Makes the entries of the audit log from callers, targets and the states before and after a change. */
import type { Caller } from '../foundation/caller.ts';
import { timestamp } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';
import { timeOfId } from '../foundation/ids.ts';
import { present } from '../foundation/resource.ts';
import { beginningOf } from '../foundation/text.ts';
import { type Actor, type AuditEntry, auditResource, type Changes } from './resource.ts';

/** The caller as an actor. An integration's name is looked up when the log is read: recording needs no read. */
export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'staff'
    ? { type: 'staff', id: caller.staffId, name: caller.name }
    : { type: 'integration', id: caller.integrationId, name: null };

/** The operator, who invokes functions with access to the AWS account. */
export const operator: Actor = { type: 'operator', id: null, name: null };

/** Masthead itself: a receiver's response, or its long failure, caused the change, and nobody requested it. */
export const masthead: Actor = { type: 'masthead', id: null, name: null };

const maxLength = 100;

type Value = Changes[string]['to'];

const recorded = (value: Value | undefined): Value =>
  typeof value === 'string' ? beginningOf(value, maxLength) : (value ?? null);

/** Returns the fields that differ between two states; those that are missing count as null. */
export const changesBetween = (
  before: Readonly<Record<string, Value | undefined>>,
  after: Readonly<Record<string, Value | undefined>>,
): Changes =>
  Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((name) => (before[name] ?? null) !== (after[name] ?? null))
      .map((name) => [name, { from: recorded(before[name]), to: recorded(after[name]) }]),
  );

/** Returns a URL as the log shows it: path and query are digested, because they can be a target's password. */
export const digestedUrl = (url: string): string => {
  const { origin, href } = new URL(url);
  const rest = href.slice(origin.length);
  return rest === '/' ? href : `${origin}/… (sha256 ${sha256(rest).slice(0, 8)})`;
};

/** Presents an entry; its time is that of its id. */
export const presentEntry = (entry: Omit<AuditEntry, 'at'>): AuditEntry =>
  present(auditResource, { ...entry, at: timestamp(timeOfId(entry.id)) });
