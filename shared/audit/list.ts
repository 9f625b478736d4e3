/** Reads pages of the audit log: entries of several sources, newest first. */
import { type AuditId, idTime, timeOfId } from '../foundation/ids.ts';
import type { AuditAction } from './actions.ts';
import type { AuditEntry } from './resource.ts';

type Entry = Omit<AuditEntry, 'at'>;

/** The ids of the first and the last entry of a range, both included. */
interface Range {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

export type AuditSource = (range: Range) => Promise<{
  readonly entries: readonly Entry[] /** Whether the range ends here. */;
  readonly isComplete: boolean;
}>;

export interface AuditFilter {
  readonly actor: string | undefined;
  readonly action: AuditAction | undefined;
  readonly target: string | undefined;
  /** Epoch ms, included. */
  readonly since: number;
  /** Epoch ms, not included. */
  readonly until: number;
}

/** How many entries a page reads. A filter for a rare action takes several pages instead of one that takes long. */
const maxRead = 1000;

const lowest = '0'.repeat(12);
const highest = 'f'.repeat(12);

/** Returns matching entries after `after`, newest first. Even an empty page can have a `next`; null at the end. */
export const listAudit = async (
  sources: readonly AuditSource[],
  filter: AuditFilter,
  limit: number,
  after: AuditId | undefined,
): Promise<{ readonly entries: readonly Entry[]; readonly next: AuditId | null }> => {
  const from = `${idTime(filter.since)}${lowest}`;
  const end = `${idTime(Math.max(0, filter.until - 1))}${highest}`;
  const to = after !== undefined && after < end ? after : end;
  if (from > to) return { entries: [], next: null };
  const read = await Promise.all(
    sources.map((source) => source({ from, to, limit: Math.floor(maxRead / sources.length) })),
  );
  // Entries older than this may be missing: a source has more, but was read no further.
  const known = read.flatMap(({ entries, isComplete }) => (isComplete ? [] : (entries.at(-1)?.id ?? [])));
  const horizon = known.toSorted().at(-1);
  const found = read
    .flatMap(({ entries }) => entries)
    .filter(({ id }) => id !== after && (horizon === undefined || id >= horizon))
    .filter((entry) => matches(entry, filter))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const page = found.slice(0, limit);
  if (found.length > limit) return { entries: page, next: page.at(-1)?.id ?? null };
  return { entries: page, next: horizon ?? null };
};

const matches = ({ id, actor, action, target }: Entry, filter: AuditFilter): boolean =>
  (filter.actor === undefined || actor.id === filter.actor) &&
  (filter.action === undefined || action === filter.action) &&
  (filter.target === undefined || target.id === filter.target) &&
  timeOfId(id) >= filter.since;
