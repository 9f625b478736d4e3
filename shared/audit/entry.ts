/** Makes the entries of the audit log from callers, targets and the states before and after a change. */
import type { Caller } from '../foundation/caller.ts';
import { timestamp } from '../foundation/clock.ts';
import { timeOfId } from '../foundation/ids.ts';
import { present } from '../foundation/resource.ts';
import { beginningOf } from '../foundation/text.ts';
import { type Actor, type AuditEntry, auditResource, type Changes } from './resource.ts';

/** Who calls. The name of an integration is looked up when the log is read, so that a change does not need to read it. */
export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'staff'
    ? { type: 'staff', id: caller.staffId, name: caller.name }
    : { type: 'integration', id: caller.integrationId, name: null };

/** The operator, who invokes functions with access to the AWS account. */
export const operator: Actor = { type: 'operator', id: null, name: null };

/** Masthead itself, which nobody asked for the change: a receiver answered, or failed for too long. */
export const masthead: Actor = { type: 'masthead', id: null, name: null };

/** How many characters of a text are recorded. */
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

/** Returns a URL as it is recorded: the path and the query of a webhook's target can be its password. */
export const originOf = (url: string): string => `${new URL(url).origin}/…`;

/** Presents an entry; its time is that of its id. */
export const presentEntry = (entry: Omit<AuditEntry, 'at'>): AuditEntry =>
  present(auditResource, { ...entry, at: timestamp(timeOfId(entry.id)) });
