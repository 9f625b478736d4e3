/** What the log shows while a long attempt waits: first for a connection of ours, then for the receiver's answer. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Waiting } from '../../shared/deliveries/attempt/wait.ts';
import { newDelivery } from '../../shared/deliveries/delivery.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { deliverySettings, healthyWebhook, now, second, worldOf } from '../support/deliver-in-memory.ts';

vi.mock('../../shared/deliveries/records/store.ts', () => ({ recordStep: vi.fn() }));
const { log } = await import('../../shared/aws/log.ts');
const { recordStep } = await import('../../shared/deliveries/records/store.ts');
const { showWhileWaiting } = await import('../../shared/deliveries/attempt/show.ts');

const { message } = worldOf(awsInMemory());
const work = { options: { settings: deliverySettings } } as Waiting;
const delivery = newDelivery(message(healthyWebhook, '0'.repeat(64)), deliverySettings, now);
/** The recorded reasons, in their order. */
const recorded = () => vi.mocked(recordStep).mock.calls.map(([, after]) => after.waiting_for?.reason);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now });
  vi.mocked(recordStep).mockReset().mockResolvedValue(true);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an attempt in the log', () => {
  it('is not shown as waiting if it ends within 1.5 s', async () => {
    const shown = showWhileWaiting(work, delivery);
    shown.begin();
    await pass(1.5 * second - 1);
    expect(await shown.end()).toBe(delivery);
    await pass(10 * second);
    expect(recorded()).toEqual([]);
  });

  it('is shown once as waiting for the answer if it takes longer', async () => {
    const shown = showWhileWaiting(work, delivery);
    shown.begin();
    // A second call, as when the connection is open.
    await pass(second);
    shown.begin();
    await pass(10 * second);
    expect(recorded()).toEqual(['answer']);
    const after = await shown.end();
    expect(after).toMatchObject({ waiting_for: { reason: 'answer', until: null } });
    expect(after.unrecorded).toBeUndefined();
  });

  it('is shown as waiting for a turn while it has no connection, and then for the answer', async () => {
    const shown = showWhileWaiting(work, delivery);
    await pass(5 * second);
    expect(recorded()).toEqual(['turn']);
    shown.begin();
    await pass(1.5 * second - 1);
    shown.begin();
    expect(recorded()).toEqual(['turn']);
    await pass(10 * second);
    expect(recorded()).toEqual(['turn', 'answer']);
    // The second step replaces the first one.
    expect(vi.mocked(recordStep).mock.calls[1]?.[0]).toMatchObject({ waiting_for: { reason: 'turn' } });
  });

  it('is shown only as waiting for a turn if the answer comes right after the connection', async () => {
    const shown = showWhileWaiting(work, delivery);
    await pass(5 * second);
    shown.begin();
    expect(await shown.end()).toMatchObject({ waiting_for: { reason: 'turn' } });
    await pass(10 * second);
    expect(recorded()).toEqual(['turn']);
  });

  it.each([
    ['another message has advanced the delivery', async () => false],
    ['the wait cannot be recorded', () => Promise.reject(new Error('no answer'))],
  ])('keeps the delivery as it was read if %s', async (_, record) => {
    vi.mocked(recordStep).mockImplementation(record);
    const shown = showWhileWaiting(work, delivery);
    await pass(2 * second);
    expect(await shown.end()).toBe(delivery);
  });

  it('is logged if it cannot be shown', async () => {
    const warn = vi.spyOn(log, 'warn').mockReturnValue();
    const error = new Error('no answer');
    vi.mocked(recordStep).mockRejectedValue(error);
    showWhileWaiting(work, delivery);
    await pass(2 * second);
    expect(warn).toHaveBeenCalledWith(expect.any(String), { delivery_id: delivery.id, error });
    warn.mockRestore();
  });
});
