/** Turns in the slow lane: how many batches of a webhook may run at once, and how far ahead a turn can be reserved. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { format } from '../../shared/foundation/format.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';

const table = mockClient(DynamoDBDocumentClient);
const queues = mockClient(SQSClient);
vi.stubEnv('TABLE_NAME', 'masthead-test');
vi.stubEnv('QUEUE_URL_SLOW_DELIVERIES', 'http://localhost/000000000000/slow-deliveries');
vi.stubEnv('LOG_LEVEL', 'SILENT');
const { nextTurn, slots, takeTurn } = await import('../../shared/deliveries/attempt/turns.ts');

const second = 1000;
const now = 1_795_000_000_000;
const horizonMs = 15 * second;

/** Takes a turn at each of these times; returns the times of the turns, or undefined where none was free. */
const take = (usualMs: number, times: readonly number[], count: number = slots.busy): (number | undefined)[] => {
  let free: number | undefined;
  return times.map((time) => {
    const { turn, nextAt } = nextTurn(free, usualMs, time, count);
    free = nextAt ?? free;
    return turn.isTaken ? turn.at : undefined;
  });
};
const atOnce = (count: number): number[] => Array.from({ length: count }, () => now);

describe('turns in the slow lane', () => {
  it('begin with two at the same time; after that, one begins after each half of the usual answer time', () => {
    const turns = take(10 * second, atOnce(5));
    expect(turns).toEqual([now, now, now + 5 * second, now + 10 * second, now + 15 * second]);
  });

  it('are eight at the same time, instead of two, while no other webhook waits', () => {
    expect(take(3 * second, atOnce(12), slots.idle).filter((at) => at === now)).toHaveLength(8);
    const perSecond = (count: number) =>
      take(3 * second, atOnce(100), count).filter((at) => at !== undefined && at > now && at <= now + 12 * second)
        .length / 12;
    expect(perSecond(slots.idle)).toBeCloseTo(8 / 3, 1);
    expect(perSecond(slots.busy)).toBeCloseTo(2 / 3, 1);
  });

  it('are reserved at most 15 seconds ahead; beyond that, the caller is told when to ask again', () => {
    const full = now + horizonMs + 6 * second;
    expect(nextTurn(full, 10 * second, now, slots.busy)).toEqual({
      turn: { at: now + horizonMs, isTaken: false },
      nextAt: undefined,
    });
    // A turn exactly 15 seconds ahead is still given: a slot is 5 seconds before the next free turn.
    const edge = now + horizonMs + 5 * second;
    expect(nextTurn(edge, 10 * second, now, slots.busy).turn).toEqual({ at: now + horizonMs, isTaken: true });
    expect(nextTurn(edge + 1, 10 * second, now, slots.busy).turn.isTaken).toBe(false);
  });

  it('are immediate again once the webhook has not used them for a while', () => {
    const later = now + 60 * second;
    expect(take(10 * second, [...atOnce(5), later, later])).toEqual([...take(10 * second, atOnce(5)), later, later]);
  });

  it('are never in the past or beyond the horizon, and at most three begin per usual answer time', () => {
    const usual = fc.integer({ min: 20, max: 10 * second });
    const waits = fc.array(fc.integer({ min: 0, max: 4 * second }), { maxLength: 60 });
    fc.assert(
      fc.property(usual, waits, (usualMs, pauses) => {
        let at = now;
        const times = pauses.map((pause) => (at += pause));
        const turns = take(usualMs, times);
        turns.forEach((turn, index) => {
          const asked = times[index] ?? 0;
          if (turn === undefined) return;
          expect(turn).toBeGreaterThanOrEqual(asked);
          expect(turn).toBeLessThanOrEqual(asked + horizonMs);
          // Two at once, and one after half the time; rounding to milliseconds can bring two turns closer by 1 ms.
          const within = turns.filter((other) => other !== undefined && other >= turn && other < turn + usualMs - 2);
          expect(within.length).toBeLessThanOrEqual(3);
        });
      }),
    );
  });
});

describe('taking a turn', () => {
  const webhook = {
    id: 'a'.repeat(24),
    target_url: 'https://a.example/',
    status: 'available',
    turn_at: now,
  } as unknown as Webhook;
  const usualMs = 10 * second;
  /** The number of messages in the lane. */
  const waiting = (count: number) =>
    queues.on(GetQueueAttributesCommand).resolves({ Attributes: { ApproximateNumberOfMessages: `${count}` } });
  beforeEach(() => {
    queues.reset();
    waiting(11);
    table.reset();
    table.on(UpdateCommand).resolves({ Attributes: { format } });
  });
  /** A refused write, because another function was faster; undefined means that the webhook is gone. */
  const refused = (turn_at: number | undefined, changes: Partial<Webhook> = {}) =>
    new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
      ...(turn_at !== undefined && { Item: marshall({ format, ...webhook, turn_at, ...changes }) }),
    });

  /** The time of the next turn that was last written. */
  const nextOf = (): unknown => {
    const { ExpressionAttributeValues = {} } = table.commandCalls(UpdateCommand).at(-1)?.args[0].input ?? {};
    return Math.max(...Object.values(ExpressionAttributeValues).filter((value) => typeof value === 'number'));
  };

  it('records when the next turn is free', async () => {
    expect(await takeTurn(webhook, usualMs, now)).toEqual({ at: now, isTaken: true });
    const [call, ...others] = table.commandCalls(UpdateCommand);
    expect(others).toEqual([]);
    const { ConditionExpression, ExpressionAttributeValues } = call?.args[0].input ?? {};
    expect(Object.values(ExpressionAttributeValues ?? {})).toContain(now + 5 * second);
    expect(ConditionExpression).toMatch(/#turn_at = :v\d/);
  });

  it('requires that no turn was recorded before the first one', async () => {
    await takeTurn({ ...webhook, turn_at: undefined } as unknown as Webhook, usualMs, now);
    const [call] = table.commandCalls(UpdateCommand);
    expect(call?.args[0].input.ConditionExpression).toContain('attribute_not_exists(#turn_at)');
  });

  it('takes the following turn if another function was faster', async () => {
    table
      .on(UpdateCommand)
      .rejectsOnce(refused(now + 15 * second))
      .resolves({ Attributes: { format } });
    expect(await takeTurn(webhook, usualMs, now)).toEqual({ at: now + 10 * second, isTaken: true });
  });

  it('writes nothing if no turn is free within 15 seconds', async () => {
    const busy = { ...webhook, turn_at: now + 60 * second };
    expect(await takeTurn(busy, usualMs, now)).toEqual({ at: now + horizonMs, isTaken: false });
    expect(table.commandCalls(UpdateCommand)).toEqual([]);
  });

  it('asks again at once, without a turn, if the webhook was deleted', async () => {
    table.on(UpdateCommand).rejects(refused(undefined));
    expect(await takeTurn(webhook, usualMs, now)).toEqual({ at: now, isTaken: false });
    expect(table.commandCalls(UpdateCommand)).toHaveLength(1);
  });

  it.each<Partial<Webhook>>([{ target_url: 'https://new.example/' }, { status: 'disabled' }])(
    'asks again at once, without a turn, if the webhook changed after it was read: %o',
    async (changes) => {
      table.on(UpdateCommand).rejects(refused(now, changes));
      expect(await takeTurn(webhook, usualMs, now)).toEqual({ at: now, isTaken: false });
      const { ConditionExpression } = table.commandCalls(UpdateCommand)[0]?.args[0].input ?? {};
      expect(ConditionExpression).toMatch(/#target_url = .* AND .#status = /);
    },
  );

  it('asks again after the usual answer time if others were faster ten times', async () => {
    table.on(UpdateCommand).rejects(refused(now));
    expect(await takeTurn(webhook, usualMs, now)).toEqual({ at: now + usualMs, isTaken: false });
    expect(table.commandCalls(UpdateCommand)).toHaveLength(10);
  });

  it('allows eight turns at the same time only while the lane is short; the length of the lane is read every five seconds', async () => {
    const busy = { ...webhook, turn_at: now + 10 * second };
    const at = async (time: number) => (await takeTurn(busy, usualMs, time)).at;
    const [first, then] = [now + 60 * second, now + 65 * second];
    waiting(10);
    expect(await at(first)).toBe(first);
    expect(nextOf()).toBe(first + usualMs / 8);
    waiting(11);
    expect(await at(then - 1)).toBe(then - 1);
    expect(queues.commandCalls(GetQueueAttributesCommand)).toHaveLength(1);
    expect(await at(then)).toBe(then);
    expect(nextOf()).toBe(then + usualMs / 2);
  });

  it('allows only two turns at the same time if the length of the lane is unknown', async () => {
    queues.on(GetQueueAttributesCommand).rejects(new Error('no answer'));
    const time = now + 120 * second;
    await takeTurn(webhook, usualMs, time);
    expect(nextOf()).toBe(time + usualMs / 2);
  });
});
