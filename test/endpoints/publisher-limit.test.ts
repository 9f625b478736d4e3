/** The limit on publishing: all Lambda instances share it with few writes; publishers see 429 with Retry-After. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack({ publishing: { requestsPerCallerAndMinute: 3 } });
const keys = await stack.seed();
// Other files have loaded these modules with their own environment.
vi.resetModules();
const { get } = await import('../../shared/table/item.ts');
const { limitKey } = await import('../../shared/limits/store.ts');
const { sampledLimits } = await import('../../shared/limits/sampled.ts');

const payload = { tag: { current: { name: 'News' }, previous: {} } };
const publish = (key: string) =>
  stack.call('events/publish', { path: '/admin/events/', key, body: { events: [{ event: 'tag.added', payload }] } });

const relay = async (): Promise<TestResponse> => {
  const { integrations } = (await stack.call('integrations/list', { path: '/admin/integrations/', key: keys.owner }))
    .body;
  const { id } = integrations.find(({ can_publish }: { can_publish: boolean }) => can_publish);
  const path = `/admin/integrations/${id}/inbound_secret/`;
  const { secrets } = (await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner })).body;
  const body = JSON.stringify(payload);
  const hash = createHmac('sha256', secrets[0].secret).update(`${body}${Date.now()}`).digest('hex');
  return stack.call('inbound/ghost', {
    path: `/inbound/ghost/${id}/tag.added/`,
    headers: { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${hash}, t=${Date.now()}` },
    body,
  });
};

describe('a publisher', () => {
  it('gets 429 above three requests a minute, including those of its Ghost site; other publishers do not', async () => {
    for (const answer of [await publish(keys.integration), await relay(), await publish(keys.integration)])
      expect(answer.status).toBe(202);
    const refused = await publish(keys.integration);
    const error = expectRefusal(refused, { status: 429, type: 'TooManyRequestsError' });
    expect(error.message).toContain('3 requests a minute');
    expect((await relay()).status).toBe(429);
    expect((await publish(keys.owner)).status).toBe(202);

    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    pass(seconds * 1000);
    expect((await publish(keys.integration)).status).toBe(202);
  });

  it('can still publish while the table refuses to store the counter', async () => {
    pass(60_000);
    stack.faults.set({ faults: [{ fault: 'throttle', service: 'dynamodb', action: 'UpdateItem' }] });
    // The SDK waits between its attempts.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    const answers = [await publish(keys.owner), await publish(keys.owner)];
    random.mockRestore();
    stack.faults.set({ faults: [] });
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  });
});

describe('four Lambda instances with a limit of 6,000 a minute', () => {
  it('write once for twenty requests, and each exceeds the limit by at most twenty', async () => {
    pass(60_000);
    const environments = Array.from({ length: 4 }, sampledLimits);
    const now = Date.now();
    let allowed = 0;
    const written = async () => (await get<{ count: number }>(limitKey(`a test in ${now - (now % 60_000)}`)))?.count;
    for (; allowed < 19; allowed++) await environments[0]?.('a test', 6000, now);
    expect(await written()).toBeUndefined();
    for (; allowed < 39; allowed++) await environments[0]?.('a test', 6000, now);
    expect(await written()).toBe(20);
    await Promise.all(
      environments.map(async (take) => {
        while ((await take('a test', 6000, now)) === 0) allowed += 1;
      }),
    );
    expect(allowed).toBeGreaterThanOrEqual(6000);
    expect(allowed).toBeLessThanOrEqual(6000 + 4 * 20);
  });
});

describe('four Lambda instances with a limit of 300 a minute', () => {
  it('allow exactly 300 requests, because each request writes', async () => {
    const environments = Array.from({ length: 4 }, sampledLimits);
    const now = Date.now();
    let allowed = 0;
    await Promise.all(
      environments.map(async (take) => {
        while ((await take('an exact limit', 300, now)) === 0) allowed += 1;
      }),
    );
    expect(allowed).toBe(300);
  });
});
