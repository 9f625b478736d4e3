/** Rotating a secret: the response shows the new one once; for a day receivers can verify with the old one as well. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { type Delivery, receiveWebhooks } from '../support/parts-receiver.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, deliver, record } = deliveryTools(stack, keys);
const { update, rotate: rotateWith } = webhookCalls(stack);

const receiver = await receiveWebhooks();
afterAll(() => receiver.close());
afterEach(() => vi.useRealTimers());

const hour = 3_600_000;

const rotate = (id: string, key = keys.integration) => rotateWith(id, key);

let paths = 0;
const hook = async (secret: string | null) => {
  const path = `/${paths++}`;
  const { id } = await webhook(`${receiver.origin}${path}`, { secret });
  const next = async (): Promise<Delivery> => {
    await deliver();
    const found = receiver.deliveries.filter((delivery) => delivery.path === path).at(-1);
    if (found === undefined) throw new Error('No delivery has arrived.');
    return found;
  };
  return { id, next };
};

const isGenuine = (secret: string, { body, headers }: Delivery): boolean => {
  try {
    new Webhook(secret.startsWith('whsec_') ? secret : Buffer.from(secret).toString('base64')).verify(body, {
      ...headers,
    });
    return true;
  } catch {
    return false;
  }
};

describe('POST /admin/webhooks/?secret=generate', () => {
  const create = (fields: object, query = '?secret=generate') =>
    stack.call('webhooks/create', {
      path: `/admin/webhooks/${query}`,
      key: keys.integration,
      body: { webhooks: [{ event: 'post.published', target_url: newUrl(), ...fields }] },
    });

  it.each([
    ['ghost', {}],
    ['template', { options: { format: { type: 'template', template: ['{{event}}'] } } }],
  ])('returns a new secret once for the format %s', async (_, fields) => {
    const [one, two] = [await create(fields), await create(fields)];
    const secrets = [one, two].map(({ body }) => body.webhooks[0].secret);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Set(secrets).size).toBe(2);
  });

  it('signs the deliveries with it', async () => {
    const path = `/${paths++}`;
    const { body } = await create({ target_url: `${receiver.origin}${path}` });
    await deliver();
    const delivery = receiver.deliveries.filter((one) => one.path === path).at(-1) ?? expect.fail();
    expect(isGenuine(body.webhooks[0].secret, delivery)).toBe(true);
  });

  it('keeps a secret that is sent, and makes none for the format of a service, which verifies none', async () => {
    expect((await create({ secret: 'chosen' })).body.webhooks[0].secret).toBe('chosen');
    expect((await create({ options: { format: { type: 'slack' } } })).body.webhooks[0].secret).toBeNull();
  });

  it('is needed for one: without the parameter `secret` stays null, as in Ghost', async () => {
    expect((await create({}, '')).body.webhooks[0].secret).toBeNull();
    expect((await create({ secret: null }, '')).body.webhooks[0].secret).toBeNull();
  });

  it('refuses other values', async () => {
    expectRefusal(await create({}, '?secret=hunter2'), { status: 422, type: 'ValidationError', property: 'secret' });
    expect((await create({}, '?secret=hunter2')).text).not.toContain('hunter2');
  });
});

describe('POST …/secret/', () => {
  it('returns a new random secret and when the old one ends; no other response shows the new one', async () => {
    const { id } = await hook('the old one');
    const answer = await rotate(id);
    expect(answer.status).toBe(200);
    const [{ secret, previous_valid_until }, ...others] = answer.body.secrets;
    expect(answer.body).toEqual({ secrets: [{ secret, previous_valid_until }] });
    expect(others).toEqual([]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Date.parse(previous_valid_until) - Date.now()).toBeGreaterThan(24 * 3_600_000 - 10_000);
    expect(Date.parse(previous_valid_until) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    const changed = await update(id, { name: 'Changed' }, keys.integration);
    expect(changed.body.webhooks[0].secret).toBeNull();
    expect(changed.text).not.toContain(secret);
    expect((await record(id))?.secret).toBe(secret);
  });

  it('returns a different secret each time', async () => {
    const { id } = await hook(null);
    const secrets = [];
    for (let number = 0; number < 3; number++) secrets.push((await rotate(id)).body.secrets[0].secret);
    expect(new Set(secrets).size).toBe(3);
  });

  it("makes deliveries carry both secrets' signatures for a day, and then only that of the new one", async () => {
    const old = `whsec_${Buffer.from('the old secret of 32 bytes .....').toString('base64')}`;
    const { id, next } = await hook(old);
    const [{ secret, previous_valid_until }] = (await rotate(id)).body.secrets;
    const during = await next();
    expect(during.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect([isGenuine(secret, during), isGenuine(old, during)]).toEqual([true, true]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(previous_valid_until) });
    const after = await next();
    expect([isGenuine(secret, after), isGenuine(old, after)]).toEqual([true, false]);
  });

  it('makes X-Ghost-Signature use the new secret at once', async () => {
    const { id, next } = await hook('the old one');
    const [{ secret }] = (await rotate(id)).body.secrets;
    const { body, headers } = await next();
    const [, hash, time] = /^sha256=([0-9a-f]{64}), t=(\d+)$/.exec(headers['x-ghost-signature'] ?? '') ?? [];
    expect(hash).toBe(createHmac('sha256', secret).update(`${body}${time}`).digest('hex'));
  });

  it('keeps each earlier secret valid until its own end, whatever was rotated since', async () => {
    const { id, next } = await hook('first');
    const begin = Date.now();
    const times = [0, 12 * hour, 23 * hour];
    const secrets = ['first'];
    for (const time of times) {
      vi.useFakeTimers({ toFake: ['Date'], now: begin + time });
      const [rotated] = (await rotate(id)).body.secrets;
      expect(rotated.previous_valid_until).toBe(new Date(begin + time + 24 * hour).toISOString());
      secrets.push(rotated.secret);
    }
    const areGenuineAt = async (time: number) => {
      vi.setSystemTime(begin + time);
      const delivery = await next();
      return secrets.map((secret) => isGenuine(secret, delivery));
    };
    expect(await areGenuineAt(24 * hour - 1)).toEqual([true, true, true, true]);
    expect(await areGenuineAt(24 * hour)).toEqual([false, true, true, true]);
    expect(await areGenuineAt(36 * hour)).toEqual([false, false, true, true]);
    expect(await areGenuineAt(47 * hour)).toEqual([false, false, false, true]);
  });

  it('is accepted five times a day, and then returns 429 until the oldest secret has ended', async () => {
    const { id, next } = await hook('first');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    for (let number = 0; number < 5; number++) expect((await rotate(id)).status).toBe(200);
    vi.setSystemTime(Date.now() + hour);
    const refused = await rotate(id);
    expectRefusal(refused, { status: 429, type: 'TooManyRequestsError' });
    expect(refused.headers['retry-after']).toBe(String(23 * 3600));
    expect(isGenuine('first', await next())).toBe(true);
    vi.setSystemTime(Date.now() + 23 * hour);
    expect((await rotate(id)).status).toBe(200);
    expect((await record(id))?.previous_secrets).toHaveLength(1);
  });

  it('is never refused to staff, who drop the oldest secret: a leaked key cannot keep its secret valid', async () => {
    const { id, next } = await hook('first');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    for (let number = 0; number < 5; number++) expect((await rotate(id)).status).toBe(200);
    const { body } = await stack.call('webhooks/rotate-secret', {
      path: `/admin/webhooks/${id}/secret/`,
      key: keys.owner,
    });
    const delivery = await next();
    expect(isGenuine('first', delivery)).toBe(false);
    expect(isGenuine(body.secrets[0].secret, delivery)).toBe(true);
    expect((await record(id))?.previous_secrets).toHaveLength(5);
  });

  it('returns only valid secrets, even from twenty concurrent rotations', async () => {
    const { id, next } = await hook('first');
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(id)));
    const returned = answers.flatMap(({ status, body }) => (status === 200 ? [body.secrets[0].secret] : []));
    expect(returned.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 429 && status !== 503)).toEqual([]);
    const delivery = await next();
    expect(['first', ...returned].filter((secret) => !isGenuine(secret, delivery))).toEqual([]);
  });

  it('keeps the old secret valid even if the function is killed after its write', async () => {
    const { id, next } = await hook('first');
    stack.faults.set({
      faults: [
        { fault: 'kill', function: 'webhooks/rotate-secret', action: 'TransactWriteItems', after: true, times: 1 },
      ],
    });
    await expect(rotate(id)).rejects.toThrow();
    stack.faults.set({ faults: [] });
    const { secret } = (await rotate(id)).body.secrets[0];
    const delivery = await next();
    expect([isGenuine('first', delivery), isGenuine(secret, delivery)]).toEqual([true, true]);
  });

  it('starts signing the deliveries of a webhook that had no secret', async () => {
    const { id, next } = await hook(null);
    expect((await next()).headers).not.toHaveProperty('webhook-signature');
    const [{ secret, previous_valid_until }] = (await rotate(id)).body.secrets;
    expect(previous_valid_until).toBeNull();
    expect(isGenuine(secret, await next())).toBe(true);
  });

  it('leaves both new secrets valid if it is called twice at the same time', async () => {
    const { id, next } = await hook(null);
    const answers = await Promise.all([rotate(id), rotate(id)]);
    const secrets = answers.map(({ body }) => body.secrets[0].secret);
    const delivery = await next();
    expect(secrets.map((secret) => isGenuine(secret, delivery))).toEqual([true, true]);
  });

  it('is refused if the caller cannot manage the webhook', async () => {
    const { id } = await hook(null);
    expectRefusal(await rotate(id, keys.otherIntegration), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await rotate('0'.repeat(24)), { status: 404, type: 'NotFoundError' });
    expect((await rotate(id, keys.owner)).status).toBe(200);
  });
});
