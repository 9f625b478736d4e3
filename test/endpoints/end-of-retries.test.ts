/** When the last attempt of a delivery arrives at its receiver. Receivers must store ids until then. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, messagesFor, attempt, next, row, tamper } = deliveryTools(stack, keys);

const hour = 3_600_000;
const day = 24 * hour;

vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
afterAll(() => {
  vi.useRealTimers();
});

/** Publishes to a receiver that always answers 429, and attempts the delivery when due. `header` gets the day. */
const refusedWith = async (header: (daysPassed: number) => string) => {
  const published = Date.now();
  const arrivals: number[] = [];
  const receiver = await receiveWebhooks((response) => {
    arrivals.push(Date.now() - published);
    response.writeHead(429, { 'retry-after': header((Date.now() - published) / day) });
    response.end();
  });
  const { id } = await webhook(receiver.origin);
  const message = (await messagesFor()).find(({ webhook_id }) => webhook_id === id);
  if (message === undefined) throw new Error('The webhook has no message.');
  await attempt(message);
  for (let last = await row(id); last.next_attempt_at !== null; last = await row(id)) {
    // Other deliveries succeed meanwhile, otherwise the webhook would be disabled after five days.
    await tamper(webhookKey(id as WebhookId), { failing_since: undefined });
    vi.setSystemTime(Math.max(Date.now() + 1000, Date.parse(last.next_attempt_at)));
    await attempt(await next(message));
  }
  receiver.close();
  return { arrivals, last: await row(id) };
};

describe('a receiver that answers with Retry-After', () => {
  it.each([
    ['of five days', () => String(5 * 86_400)],
    ['of a date in a month', () => new Date(Date.now() + 30 * day).toUTCString()],
    ['of two hours', () => '7200'],
  ])('%s gets the last attempt within seven days of the event', async (_, header) => {
    const { arrivals, last } = await refusedWith(header);
    expect(arrivals.at(-1)).toBeLessThanOrEqual(7 * day);
    expect(arrivals.length).toBeGreaterThan(4);
    expect(last).toMatchObject({ status: 'failed', last_status: '429' });
  });

  it('of five days gets the next attempt after one day, whether at the first attempt or a later one', async () => {
    const early = await refusedWith((days) => (days < 0.001 ? String(5 * 86_400) : '0'));
    const [first = 0, second = 0] = early.arrivals;
    expect(second - first).toBeGreaterThanOrEqual(day);
    expect(second - first).toBeLessThanOrEqual(1.1 * day + 1000);
    const late = await refusedWith((days) => (days > 1.5 ? String(5 * 86_400) : '0'));
    const waits = late.arrivals.flatMap((at, index) =>
      at > 1.5 * day ? [(late.arrivals[index + 1] ?? at + day) - at] : [],
    );
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(day);
    expect(late.arrivals.at(-1)).toBeLessThanOrEqual(7 * day);
  });
});
