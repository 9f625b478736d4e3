/** What the log shows of a long attempt while it waits: for one of our connections, then for the answer of its receiver. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Waiting } from '../../shared/deliveries/attempt/wait.ts';
import { newDelivery } from '../../shared/deliveries/delivery.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { deliverySettings, healthyWebhook, now, second, worldOf } from '../support/deliver-in-memory.ts';

vi.mock('../../shared/deliveries/records/store.ts', () => ({ recordStep: vi.fn() }));
const { recordStep } = await import('../../shared/deliveries/records/store.ts');
const { showWhileWaiting } = await import('../../shared/deliveries/attempt/show.ts');

const { message } = worldOf(awsInMemory());
const work = { options: { settings: deliverySettings } } as Waiting;
const delivery = newDelivery(message(healthyWebhook, '0'.repeat(64)), deliverySettings, now);
/** The reasons that were recorded, each with the number of what it replaced. */
const recorded = () => vi.mocked(recordStep).mock.calls.map(([, after]) => after.waiting_for?.reason);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now });
  vi.mocked(recordStep).mockReset().mockResolvedValue(true);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an attempt', () => {
  it('that ends within 1.5 s is not shown', async () => {
    const shown = showWhileWaiting(work, delivery);
    shown.begin();
    await pass(1.5 * second - 1);
    expect(await shown.end()).toBe(delivery);
    await pass(10 * second);
    expect(recorded()).toEqual([]);
  });

  it('that lasts longer shows once that it waits for the answer', async () => {
    const shown = showWhileWaiting(work, delivery);
    shown.begin();
    // Again when the connection is open.
    await pass(second);
    shown.begin();
    await pass(10 * second);
    expect(recorded()).toEqual(['answer']);
    const after = await shown.end();
    expect(after).toMatchObject({ waiting_for: { reason: 'answer', until: null } });
    expect(after.unrecorded).toBeUndefined();
  });

  it('that waits for one of our connections shows that, and then the answer', async () => {
    const shown = showWhileWaiting(work, delivery);
    await pass(5 * second);
    expect(recorded()).toEqual(['turn']);
    shown.begin();
    await pass(1.5 * second - 1);
    shown.begin();
    expect(recorded()).toEqual(['turn']);
    await pass(10 * second);
    expect(recorded()).toEqual(['turn', 'answer']);
    // The second one replaces the first.
    expect(vi.mocked(recordStep).mock.calls[1]?.[0]).toMatchObject({ waiting_for: { reason: 'turn' } });
  });

  it('that got its connection late and is answered at once is shown once', async () => {
    const shown = showWhileWaiting(work, delivery);
    await pass(5 * second);
    shown.begin();
    expect(await shown.end()).toMatchObject({ waiting_for: { reason: 'turn' } });
    await pass(10 * second);
    expect(recorded()).toEqual(['turn']);
  });

  it.each([
    ['another message has advanced', async () => false],
    ['cannot be shown', () => Promise.reject(new Error('no answer'))],
  ])('that %s ends with what was read', async (_, record) => {
    vi.mocked(recordStep).mockImplementation(record);
    const shown = showWhileWaiting(work, delivery);
    await pass(2 * second);
    expect(await shown.end()).toBe(delivery);
  });
});
