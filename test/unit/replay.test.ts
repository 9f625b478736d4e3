import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  checkReplay,
  isReplayed,
  newReplayOf,
  presentReplay,
  type Replay,
} from '../../shared/deliveries/replays/replay.ts';
import { deliveryStates } from '../../shared/deliveries/resource.ts';
import { triggers } from '../../shared/deliveries/triggers.ts';
import { type DeliveryId, idTime, type ReplayId, type WebhookId } from '../../shared/foundation/ids.ts';

const now = Date.now();
afterEach(() => vi.useRealTimers());
const id = '1'.repeat(24) as ReplayId;
const webhook = '2'.repeat(24) as WebhookId;
const iso = (time: number): string => new Date(time).toISOString();
const input = { since: now - 2000, until: now - 1000, status: null };
const replay = newReplayOf(id, webhook, input, now);

describe('a new replay', () => {
  it('ends at the time of its request, so that it cannot replay its own deliveries', () => {
    expect(newReplayOf(id, webhook, { ...input, until: now + 1 }, now).until).toBe(iso(now));
  });

  it('is empty if its range is in the future', () => {
    const future = newReplayOf(id, webhook, { ...input, since: now + 5, until: now + 9 }, now);
    expect(future).toMatchObject({ since: iso(now + 5), until: iso(now + 5) });
  });
});

describe('reading a replay', () => {
  it('returns 404 once it has expired; the error says how long replays are stored', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: replay.expires_at * 1000 - 1 });
    expect(checkReplay(replay, webhook, id)).toBe(replay);
    vi.setSystemTime(replay.expires_at * 1000);
    expect(() => checkReplay(replay, webhook, id)).toThrow(
      expect.objectContaining({ help: expect.stringContaining('30 days') }),
    );
  });
});

describe('a replay', () => {
  const delivery = { event: 'post.added', replayed_by: null };

  it('sends finished deliveries again; with a status, only those with that status', () => {
    const sent = (status: Replay['status']) =>
      deliveryStates.filter((state) => isReplayed({ status }, { ...delivery, status: state, trigger: 'event' }));
    expect(sent(null).toSorted()).toEqual(['blocked', 'cancelled', 'delivered', 'failed', 'held']);
    expect(sent('held')).toEqual(['held']);
  });

  it('sends deliveries of events, but no redeliveries, replays or pings', () => {
    const sent = triggers.filter((trigger) => isReplayed({ status: null }, { ...delivery, status: 'failed', trigger }));
    expect(sent).toEqual(['event']);
  });

  it('with a status sends whatever has it and was not sent again, but no pings', () => {
    const wanted = { status: 'failed' } as const;
    const sent = triggers.filter((trigger) => isReplayed(wanted, { ...delivery, ...wanted, trigger }));
    expect(sent).toEqual(['event', 'redelivery', 'replay']);
    expect(
      isReplayed(wanted, { ...delivery, ...wanted, trigger: 'event', replayed_by: id as unknown as DeliveryId }),
    ).toBe(false);
  });
});

describe('the progress of a replay', () => {
  const idAt = (time: number) => `${idTime(time)}${'0'.repeat(12)}` as DeliveryId;
  const percentAt = (cursor: number, changes: Partial<Replay> = {}) =>
    presentReplay({ ...replay, span: [idAt(now), idAt(now + 1000)], cursor: idAt(cursor), ...changes }).progress
      .percent;

  it('is how far the cursor is between the first and the last delivery, in whole percent, rounded down', () => {
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
});
