/**
 * Makes requests wait for their turn: those of a throttled webhook, and those of webhooks whose last attempt was no
 * success, together at one host. So nobody can aim a stage's requests at an address that never asked for them.
 */
import { setTimeout } from 'node:timers/promises';
import { log } from '../../aws/log.ts';
import { createCache } from '../../foundation/cache.ts';
import { day, second, systemClock } from '../../foundation/clock.ts';
import { ContentionError } from '../../foundation/errors.ts';
import type { Settings } from '../../foundation/settings.ts';
import type { Pace, Place } from '../../limits/row.ts';
import { limitKey, standInRow } from '../../limits/store.ts';
import { get, put, remove } from '../../table/item.ts';
import type { Key } from '../../table/table-key.ts';
import type { Options } from '../../webhooks/options-resource.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, type RowName, rowOfThrottle, throttleRow } from '../delivery.ts';
import { type BatchedWrite, batchedWrite } from '../records/batched-write.ts';

export type Turn =
  /** Now. With a throttle, it must start before `startBy` (epoch ms). */
  | { readonly kind: 'now'; readonly startBy: number | undefined }
  /** Not before this time in epoch ms, for which it waits in this row. */
  | { readonly kind: 'later'; readonly until: number; readonly row: RowName | undefined };

/** A delivery waits in its function for a place that is at most so far ahead. `again`: it missed its turn. */
const horizonMs = { normal: 0, slow: 1.5 * second, again: 2 * second } as const;
interface Row {
  readonly name: string;
  readonly pace: Pace;
  /** `host`: of all webhooks there whose last attempt was no success. */
  readonly of: RowName;
}

type Known = Pick<Webhook, 'id' | 'integration_id' | 'target_url' | 'accepts'>;

/** A final dot does not make another host. */
const hostOf = ({ integration_id, target_url }: Known): string =>
  `${integration_id} ${URL.parse(target_url)?.hostname.replace(/\.$/, '') ?? ''}`;

/** Hosts that answered a new webhook of an integration with success: its other new webhooks there need no place. */
const welcoming = createCache<string, true>({ max: 10_000 });
const welcomeMs = day;
const welcomeKey = (host: string): Key => limitKey(`welcome ${host}`);

const isWelcome = async (host: string): Promise<boolean> => {
  if (welcoming.get(host) === true) return true;
  const found = await get<{ expires_at: number }>(welcomeKey(host));
  if (found === undefined || found.expires_at * second < systemClock()) return false;
  welcoming.set(host, true);
  return true;
};

/** The first of many new webhooks at a host is usually answered within a second: then the others need no place. */
const firstAnswersMs = [second / 4, second / 4, second / 2] as const;

const becomesWelcome = async (host: string): Promise<boolean> => {
  for (const ms of firstAnswersMs) {
    await setTimeout(ms);
    if (await isWelcome(host)) return true;
  }
  return false;
};

/** Remembers for a day that a host had a success; a failure of a new webhook ends that. Never rejects. */
export const rememberHost = async (webhook: Known, isSuccess: boolean): Promise<void> => {
  const host = hostOf(webhook);
  if (webhook.accepts === true || (isSuccess && welcoming.get(host) === true)) return;
  if (!isSuccess && webhook.accepts === false) return;
  try {
    const expires_at = Math.ceil((systemClock() + welcomeMs) / second);
    if (isSuccess) welcoming.set(host, true);
    else welcoming.remove(host);
    await (isSuccess ? put({ ...welcomeKey(host), expires_at }) : remove(welcomeKey(host)));
  } catch (error) {
    log.warn('How a host has answered could not be written', { error });
  }
};

/** Returns the rows in which a delivery of a webhook must have a place; none for most. */
const rowsOf = (webhook: Known, options: Options | undefined, { unansweredPerHostAndSecond: limit }: Rules): Row[] => {
  const rows: Row[] = [];
  if (webhook.accepts !== true)
    rows.push({ name: `unanswered ${hostOf(webhook)}`, pace: { limit, per: 'second' }, of: 'host' });
  if (options?.throttle) {
    const { requests, per } = options.throttle;
    const of = rowOfThrottle(options.throttle);
    rows.push({ name: throttleRow(webhook.id, of), pace: { limit: requests, per }, of });
  }
  return rows;
};

type Rules = Pick<Settings['deliveries'], 'unansweredPerHostAndSecond'>;

interface Asking extends Row {
  readonly hasWaited: boolean;
  readonly horizonMs: number;
  /** The host of a new webhook. If the host is welcoming, the delivery needs no place. */
  readonly newAt: string | undefined;
  readonly settle: (place: Place) => void;
}

export type Rows = BatchedWrite<Asking>;

const askAll = async (asking: readonly Asking[]): Promise<void> => {
  const rows = Map.groupBy(asking, ({ name, horizonMs }) => `${name} ${horizonMs}`);
  await Promise.all([...rows.values()].map(askOne));
};

const askOne = async (asking: readonly Asking[]): Promise<void> => {
  const newAt = asking.find((one) => one.newAt !== undefined)?.newAt;
  const areWelcome = newAt !== undefined && (await isWelcome(newAt));
  const isWelcomed = (one: Asking): boolean => areWelcome && one.newAt !== undefined;
  for (const one of asking.filter(isWelcomed)) one.settle(anyTime);
  const standing = asking.filter((one) => !isWelcomed(one));
  const [first] = standing;
  if (first === undefined) return;
  const waited = standing.map(({ hasWaited }) => hasWaited);
  const places = await standInRow(first.name, waited, systemClock(), first.pace, first.horizonMs).catch(askLater);
  for (const [position, { settle }] of standing.entries())
    settle(places[position] ?? { isTaken: false, at: systemClock() + second });
};

/** Under contention, deliveries wait a moment: a failed message would stay hidden for minutes. */
const askLater = (error: unknown): readonly Place[] => {
  if (error instanceof ContentionError) return [];
  throw error;
};

const anyTime: Place = { isTaken: true, at: 0, until: Number.POSITIVE_INFINITY };

/** How long the first delivery waits for others that ask. */
const togetherMs = 2;

export const rowsOfBatch = (): Rows => batchedWrite(askAll, togetherMs);

interface Asker {
  readonly webhook: Known;
  readonly options: Options | undefined;
  readonly delivery: Pick<Delivery, 'waiting_for' | 'trigger' | 'row'>;
  /** Its lane, or `again` if its turn passed before the request was sent. */
  readonly from: keyof typeof horizonMs;
}

/** Waits for the turn of a delivery, a few seconds at most. @throws ServiceUnavailableError */
export const takeTurn = async (
  rows: Rows,
  { webhook, options, delivery, from }: Asker,
  rules: Rules,
): Promise<Turn> => {
  const wanted = rowsOf(webhook, options, rules);
  const { reason, until: placeAt } = delivery.waiting_for ?? {};
  const isInRow = reason === 'throttle' && typeof placeAt === 'string';
  // A long wait's message comes up to ten minutes early (`exactMs` in `wait.ts`): keep the place, don't ask again.
  if (wanted.length > 0 && isInRow && from !== 'again' && Date.parse(placeAt) > systemClock() + horizonMs.slow)
    return { kind: 'later', until: Date.parse(placeAt), row: delivery.row };
  // A ping counts as having waited: somebody waits for its result.
  const hasWaited = isInRow || from === 'again' || delivery.trigger === 'ping';
  let startBy: number | undefined;
  for (const row of wanted) {
    const newAt = row.of === 'host' && webhook.accepts === undefined ? hostOf(webhook) : undefined;
    const place = await placeIn(rows, { ...row, hasWaited, horizonMs: horizonMs[from], newAt });
    if (!place.isTaken) return { kind: 'later', until: place.at, row: row.of };
    await setTimeout(Math.max(0, place.at - systemClock()));
    // Only a throttle sets a deadline: opening many connections to a new host may take longer than a turn.
    if (row.of !== 'host') startBy = place.until;
  }
  return { kind: 'now', startBy };
};

/** Asks for a place. A new webhook waits a second first: if its host welcomes another one, it needs none. */
const placeIn = async (rows: Rows, asking: Omit<Asking, 'settle'>): Promise<Place> => {
  const { promise, resolve: settle } = Promise.withResolvers<Place>();
  await rows.add({ ...asking, settle });
  const place = await promise;
  const isNow = place.isTaken && place.at <= systemClock();
  return !isNow && asking.newAt !== undefined && (await becomesWelcome(asking.newAt)) ? anyTime : place;
};
