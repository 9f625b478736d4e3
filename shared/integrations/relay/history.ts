/** A relay's last 28 days, with a record for each day, and what can be derived from them. */
import { day, hour, timestamp } from '../../foundation/clock.ts';
import { type RefusalReason, type RelayResource, refusalReasons } from './resource.ts';

export const judgedDays = 28;
const shownDays = 7;
/** With fewer events, no pause can be recognised as unusual. */
const fewEvents = 10;
/** The shortest unusual silence, in general and in a relay's first week, which may not have included a weekend. */
const shortestMs = day;
const shortestOfNewMs = 3 * day;

/** A day in UTC: counts by name, `h13` for accepted events of the hour from 13:00. */
export interface RelayDay {
  /** Such as `2026-11-24`. */
  readonly date: string;
  readonly last_event_at?: string;
  readonly counts: Readonly<Record<string, number>>;
  /** The time of the last refusal by reason. */
  readonly refused: Readonly<Partial<Record<RefusalReason, string>>>;
}

/** Names of the counts of a day. */
export const hourName = (now: number): string => `h${timestamp(now).slice(11, 13)}`;
export const refusedName = (reason: RefusalReason): string => `refused_${reason}`;
export const dateOf = (now: number): string => timestamp(now).slice(0, 10);

/** Derives the fields of a relay from its days, oldest first. */
export const stateOf = (
  all: readonly RelayDay[],
  now: number,
): Pick<RelayResource, 'last_event_at' | 'events_per_day' | 'refused' | 'silent_since'> => {
  // The table deletes older ones late.
  const days = all.filter(({ date }) => date >= dateOf(now - judgedDays * day));
  const last = days.findLast(({ last_event_at }) => last_event_at !== undefined)?.last_event_at ?? null;
  const shown = days.filter(({ date }) => Date.parse(date) > now - shownDays * day);
  const perDay = shown.reduce((total, one) => total + acceptedOn(one), 0) / shownDays;
  return {
    last_event_at: last,
    events_per_day: Math.round(perDay * 10) / 10,
    refused: refusalReasons.flatMap((reason) => refusalsOf(shown, reason)),
    silent_since: last !== null && isUnusual(days, now - Date.parse(last), now) ? last : null,
  };
};

const acceptedOn = ({ counts }: RelayDay): number =>
  Object.entries(counts).reduce((total, [name, count]) => (/^h\d\d$/.test(name) ? total + count : total), 0);

const refusalsOf = (days: readonly RelayDay[], reason: RefusalReason): RelayResource['refused'] => {
  const count = days.reduce((total, { counts }) => total + (counts[refusedName(reason)] ?? 0), 0);
  const last_at = days.findLast(({ refused }) => refused[reason] !== undefined)?.refused[reason];
  return count === 0 || last_at === undefined ? [] : [{ reason, count, last_at }];
};

/** Returns whether a silence is twice as long as the longest pause before it. */
const isUnusual = (days: readonly RelayDay[], silenceMs: number, now: number): boolean => {
  if (days.reduce((total, one) => total + acceptedOn(one), 0) < fewEvents) return false;
  const hours = days.flatMap(hoursOf);
  const longest = Math.max(0, ...hours.map((at, index) => at - (hours[index - 1] ?? at)));
  const isNew = now - (hours[0] ?? now) < shownDays * day;
  return silenceMs > Math.max(isNew ? shortestOfNewMs : shortestMs, 2 * longest);
};

/** The beginnings of the hours in which events arrived, in epoch ms. */
const hoursOf = ({ date, counts }: RelayDay): number[] =>
  Array.from({ length: 24 }, (_, index) => index).flatMap((index) =>
    (counts[`h${String(index).padStart(2, '0')}`] ?? 0) > 0 ? [Date.parse(date) + index * hour] : [],
  );
