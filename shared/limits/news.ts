/** Remembers what a person was told about what begins and ends: each once, and what is new in between after a while. */
import { day, hour, minute, second } from '../foundation/clock.ts';
import { isStill } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put } from '../table/item.ts';
import { untilWritten } from '../table/optimistic.ts';
import { limitKey } from './store.ts';

/** How long a person is told nothing more of what lasts; and how long after an end the next one waits. */
const everyMs = 6 * hour;
/** How long to wait for an end of which it is too early to say. */
const earlyMs = 5 * minute;
/** How long it is remembered that the end is still to be told. */
const keptMs = 90 * day;

/** What a person was told last; times in epoch ms. */
export interface Told {
  /** Whether the end is still to be told. */
  readonly isOpen: boolean;
  readonly told_at: number;
  /** When an end was told last. */
  readonly ended_at?: number;
  /** The id of the news, which is told again if its first copy was stopped before its mail was sent. */
  readonly by: string;
}

export interface News {
  readonly kind: 'begins' | 'ends';
  /** The same for each copy. */
  readonly id: string;
  /** What became true when, in epoch ms: what was told since then includes it. */
  readonly at: number;
  /** For an end: whether it is too early to say, and to be looked at again soon. */
  readonly isEarly?: boolean;
}

/** What to do with news: tell them, drop them, or try again after a while. `told` is what to remember. */
export type Verdict =
  | { readonly kind: 'tell'; readonly told: Told }
  | { readonly kind: 'drop' }
  | { readonly kind: 'wait'; readonly waitMs: number };

/** Decides what to do with news at `now`, of which the person was told `before`. */
export const judgeNews = (before: Told | undefined, { kind, id, at, isEarly }: News, now: number): Verdict => {
  if (before?.by === id) return { kind: 'tell', told: before };
  const tell = (told: Partial<Told>): Verdict => ({
    kind: 'tell',
    told: { ...before, told_at: now, by: id, isOpen: kind === 'begins', ...told },
  });
  const afterWaiting = (last: number, told: Partial<Told>): Verdict =>
    last + everyMs > now ? { kind: 'wait', waitMs: last + everyMs - now } : tell(told);
  if (kind === 'ends') {
    if (!before?.isOpen) return { kind: 'drop' };
    return isEarly
      ? { kind: 'wait', waitMs: earlyMs }
      : afterWaiting(before.ended_at ?? Number.NEGATIVE_INFINITY, { ended_at: now });
  }
  if (!before?.isOpen) return tell({});
  return at <= before.told_at ? { kind: 'drop' } : afterWaiting(before.told_at, {});
};

type Stored = Told & { readonly version: number };

/** Judges news of a `name`, and remembers what is to be told if `may` allows it, asked once. @throws ContentionError */
export const takeNews = async (
  name: string,
  news: News,
  now: number,
  may: () => Promise<boolean> = async () => true,
): Promise<Verdict> => {
  const key = limitKey(name);
  return untilWritten('what a person was told', async () => {
    const before = await get<Stored>(key);
    const verdict = judgeNews(before, news, now);
    if (verdict.kind !== 'tell' || verdict.told === before) return verdict;
    if (!(await may())) return { kind: 'drop' };
    const version = (before?.version ?? 0) + 1;
    const item = { ...key, ...verdict.told, version, expires_at: Math.ceil((now + keptMs) / second) };
    const { written } = await tryWrite(put(item, isStill('version', before?.version)));
    return written ? verdict : undefined;
  });
};
