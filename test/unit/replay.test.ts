/** The rules of replays: which range and deliveries one covers, and how its progress is computed. */
import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  checkReplay,
  isReplayed,
  newReplayOf,
  presentReplay,
  type Replay,
} from '../../shared/deliveries/replays/replay.ts';
import { newReplay, replayMessage } from '../../shared/deliveries/replays/schema.ts';
import { deliveryStates, triggers } from '../../shared/deliveries/resource.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import { type DeliveryId, idTime, type ReplayId, type WebhookId } from '../../shared/foundation/ids.ts';

const now = Date.now();
afterEach(() => vi.useRealTimers());
const id = '1'.repeat(24) as ReplayId;
const webhook = '2'.repeat(24) as WebhookId;
const iso = (time: number): string => new Date(time).toISOString();
const input = { since: now - 2000, until: now - 1000, status: null };
const replay = newReplayOf(id, webhook, input, now);

describe('a new replay', () => {
  it('is running, has read nothing yet, and is stored for 30 days', () => {
    expect(replay).toStrictEqual({
      chunk_at: replay.created_at,
      id,
      webhook_id: webhook,
      since: iso(now - 2000),
      until: iso(now - 1000),
      status: null,
      state: 'running',
      cursor: null,
      checked: 0,
      replayed: 0,
      in_lane: [],
      window: 50,
      created_at: iso(now),
      updated_at: iso(now),
      expires_at: Math.floor(now / 1000) + 30 * 86_400,
    });
  });

  it('ends at the time of its request, so that it cannot replay its own deliveries', () => {
    expect(newReplayOf(id, webhook, { ...input, until: now + 1 }, now).until).toBe(iso(now));
  });

  it('is empty if its range is in the future', () => {
    const future = newReplayOf(id, webhook, { ...input, since: now + 5, until: now + 9 }, now);
    expect(future).toMatchObject({ since: iso(now + 5), until: iso(now + 5) });
  });
});

describe('reading a replay', () => {
  it('returns the replay of the webhook', () => {
    expect(checkReplay(replay, webhook, id)).toBe(replay);
  });

  it('returns 404 once it has expired; the error says how long replays are stored', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: replay.expires_at * 1000 - 1 });
    expect(checkReplay(replay, webhook, id)).toBe(replay);
    vi.setSystemTime(replay.expires_at * 1000);
    expect(() => checkReplay(replay, webhook, id)).toThrow(
      expect.objectContaining({ help: expect.stringContaining('30 days') }),
    );
  });

  it.each([
    ['that does not exist', undefined],
    ['of another webhook', { ...replay, webhook_id: '3'.repeat(24) as WebhookId }],
    ['that has expired', { ...replay, expires_at: Math.floor(now / 1000) - 1 }],
  ])('%s returns 404', (_, found) => {
    expect(() => checkReplay(found, webhook, id)).toThrow(NotFoundError);
  });
});

describe('a replay', () => {
  it('sends finished deliveries again; with a status, only those with that status', () => {
    const sent = (status: Replay['status']) =>
      deliveryStates.filter((state) => isReplayed({ status }, { status: state, trigger: 'event' }));
    expect(sent(null).toSorted()).toEqual(['blocked', 'cancelled', 'delivered', 'failed', 'held']);
    expect(sent('held')).toEqual(['held']);
  });

  it('sends deliveries of events, but no redeliveries, replays or pings', () => {
    const sent = triggers.filter((trigger) => isReplayed({ status: null }, { status: 'failed', trigger }));
    expect(sent).toEqual(['event']);
  });
});

describe('the progress of a replay', () => {
  const idAt = (time: number) => `${idTime(time)}${'0'.repeat(12)}` as DeliveryId;
  const percentAt = (cursor: number, changes: Partial<Replay> = {}) =>
    presentReplay({ ...replay, span: [idAt(now), idAt(now + 1000)], cursor: idAt(cursor), ...changes }).progress
      .percent;

  it('is how far the cursor is between the times of the first and the last delivery, in whole percent, rounded down', () => {
    expect([0, 9, 10, 499, 989].map((ms) => percentAt(now + ms))).toEqual([0, 0, 1, 49, 98]);
  });

  it('is at most 99 while the replay is running, and 100 once it has finished', () => {
    expect([999, 1000, 5000].map((ms) => percentAt(now + ms))).toEqual([99, 99, 99]);
    expect(percentAt(now, { state: 'finished' })).toBe(100);
    expect(percentAt(now + 500, { state: 'cancelled' })).toBe(50);
  });

  it('is 0 until the first chunk is read', () => {
    expect(percentAt(now + 500, { cursor: null })).toBe(0);
    expect(percentAt(now + 500, { span: undefined })).toBe(0);
  });

  it('is 0 until the end if all deliveries have the same time', () => {
    expect(percentAt(now, { span: [idAt(now), idAt(now)] })).toBe(0);
  });

  it('contains the numbers of checked and replayed deliveries', () => {
    const { progress } = presentReplay({ ...replay, checked: 7, replayed: 5 });
    expect(progress).toEqual({ checked: 7, replayed: 5, percent: 0 });
  });
});

describe('a request for a replay', () => {
  const requested = (fields: object) => v.safeParse(newReplay, { since: '2026-11-01', until: '2026-11-02', ...fields });

  it('turns its times into epoch milliseconds, and has no status by default', () => {
    const range = { since: Date.parse('2026-11-01'), until: Date.parse('2026-11-02') };
    expect(requested({}).output).toEqual({ ...range, status: null });
    for (const status of ['delivered', 'failed', 'cancelled', 'blocked', 'held', null])
      expect(requested({ status }).output).toEqual({ ...range, status });
  });

  it.each([
    ['since', 'last week'],
    ['until', 'tomorrow'],
    ['since', 1],
    ['status', 'pending'],
    ['status', 'retrying'],
  ])('is refused with an invalid `%s`: %o', (field, value) => {
    const { success, issues } = requested({ [field]: value });
    expect(success).toBe(false);
    expect(issues?.map(({ path }) => path?.map(({ key }) => key))).toEqual([[field]]);
    expect(issues?.[0].message).toContain('must be');
  });

  it.each(['2026-11-01', '2026-10-31'])('is refused if it ends at %s, which is not after its start', (until) => {
    const { issues } = requested({ until });
    expect(issues).toMatchObject([
      {
        expected: 'after_since',
        message: expect.stringContaining('must be after'),
        input: until,
        path: [{ type: 'object', origin: 'value', key: 'until', value: until }],
      },
    ]);
    expect(issues).toHaveLength(1);
  });
});

it('the message of a replay must name the replay', () => {
  expect(v.is(replayMessage, { replay_id: id })).toBe(true);
  expect(v.is(replayMessage, {})).toBe(false);
});
