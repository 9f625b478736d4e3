/** A webhook that keeps failing: its owners get a mail, it is disabled, deliveries are held, and it can be enabled. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { defaultSettings } from '../support/default-settings.ts';
import { type DeliveryBody, deliveryTools } from '../support/deliveries.ts';
import { documentedBodyOf } from '../support/documented-delivery.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack({ publication: { name: 'The <Daily> Test', url: 'https://daily.example' } });
const keys = await stack.seed();
const { webhook, messagesFor, attempt, next, deliver, row, rows, record, tamper } = deliveryTools(stack, keys);
const { update } = webhookCalls(stack);

const takeAll = async () => {
  await stack.take('deliveries');
  await stack.take('slow-deliveries');
};
const drain = async () => {
  await stack.drain('deliveries');
  await stack.drain('slow-deliveries');
};

const minute = 60_000;
const day = 24 * 60 * minute;

const open: { close(): void }[] = [];
// The clock must not go back between tests, because times in the table must not be in the future.
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
afterEach(() => {
  for (const receiver of open.splice(0)) receiver.close();
});
afterAll(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const hook = async (fields: object = {}) => {
  const behaviour = { status: 200, headers: {} as Record<string, string> };
  const receiver = await receiveWebhooks((response) => {
    response.writeHead(behaviour.status, behaviour.headers);
    response.end();
  });
  open.push(receiver);
  const created = await webhook(`${receiver.origin}/secret-path`, fields);
  const key = webhookKey(created.id as WebhookId);
  const message = async () => {
    const found = (await messagesFor()).find(({ webhook_id }) => webhook_id === created.id);
    if (found === undefined) throw new Error('The webhook has no message.');
    return found;
  };
  return {
    ...created,
    origin: receiver.origin,
    arrived: receiver.deliveries,
    behaviour,
    event: async () => {
      const next = await message();
      // The circuit breaker is not tested here.
      await tamper(key, { health: undefined, health_revision: undefined });
      pass(minute);
      await attempt(next);
      return (await rows(created.id)).find((candidate) => candidate.id === next.delivery_id);
    },
    key,
  };
};

const ping = (id: string, key = keys.integration) =>
  stack.call('webhooks/ping', { path: `/admin/webhooks/${id}/ping/`, key });
const mailed = async (id: string) => {
  await stack.drain('mail');
  const found = [];
  for (const to of ['owner@masthead.example', 'administrator@masthead.example', 'contact@shop.example'])
    for (const mail of await stack.mailsTo(to)) if (mail.body.text?.includes(id)) found.push({ to, ...mail });
  return found;
};

describe('a webhook that fails', () => {
  it('shows since when it has failed, and its last response', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    await target.event();
    const since = (await record(target.id))?.failing_since;
    expect(since).toBe((await row(target.id)).last_attempt_at);
    target.behaviour.status = 404;
    await target.event();
    expect(await record(target.id)).toMatchObject({
      status: 'available',
      failing_since: since,
      last_triggered_status: '404',
      last_triggered_error: 'status',
    });
  });

  it('is healthy again after the first success', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    await target.event();
    target.behaviour.status = 200;
    await target.event();
    expect(await record(target.id)).toMatchObject({
      status: 'available',
      last_triggered_status: '200',
      last_triggered_error: null,
    });
    expect(await record(target.id)).not.toHaveProperty('failing_since');
  });

  it('is reported once by mail to Owners, Administrators and the contact of its integration', async () => {
    const target = await hook({ name: 'Site <b>rebuild</b>' });
    const integration = { pk: `INTEGRATION#${target.integration_id}`, sk: 'INTEGRATION' };
    await tamper(integration, { contact_email: 'contact@shop.example', confirmed_contact: 'contact@shop.example' });
    target.behaviour.status = 500;
    await target.event();
    expect(await mailed(target.id)).toEqual([]);
    pass(30 * minute);
    await target.event();
    await target.event();
    const mails = await mailed(target.id);
    expect(mails.map(({ to }) => to)).toEqual([
      'owner@masthead.example',
      'administrator@masthead.example',
      'contact@shop.example',
    ]);
    expect(mails[0]?.subject).toBe('Site <b>rebuild</b> is failing: unreachable');
    expect(mails[0]?.body.text).toContain(new URL(target.origin).host);
    expect(mails[0]?.body.text).toContain('The <Daily> Test');
    // The rest of the URL may be a secret.
    expect(mails[0]?.body.text).not.toContain('secret-path');
    expect(mails[0]?.body.html).toContain('Site &lt;b&gt;rebuild&lt;/b&gt;');
    expect(mails[0]?.body.html).not.toContain('<b>');
    await tamper(integration, { contact_email: null, confirmed_contact: undefined });
  });

  it('is disabled after `disableAfterDays`, and its owners get another mail', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    await target.event();
    await tamper(target.key, { warned_at: new Date().toISOString() });
    pass(defaultSettings.deliveries.disableAfterDays * day - 2 * minute);
    await target.event();
    expect(await record(target.id)).toMatchObject({ status: 'available' });
    await target.event();
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
    const mails = await mailed(target.id);
    const { host } = new URL(target.origin);
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill(`A webhook at ${host} is disabled: unreachable`));
  });

  it('is not disabled for failures of an earlier target', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    await target.event();
    pass((defaultSettings.deliveries.disableAfterDays + 1) * day);
    await update(target.id, { target_url: `${(await record(target.id))?.target_url}?fixed` }, keys.owner);
    await target.event();
    expect(await record(target.id)).toMatchObject({ status: 'available' });
  });

  it('is not reported if it has recovered meanwhile', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    await target.event();
    pass(31 * minute);
    await target.event();
    target.behaviour.status = 200;
    await target.event();
    expect(await mailed(target.id)).toEqual([]);
  });
});

const disabledForFailures = async () => {
  const target = await hook();
  await tamper(target.key, { status: 'disabled', failing_since: new Date(Date.now() - 5 * day).toISOString() });
  return target;
};

describe('a disabled webhook', () => {
  const disabled = disabledForFailures;

  it('receives nothing, and its deliveries are held', async () => {
    const target = await disabled();
    expect(await target.event()).toMatchObject({
      status: 'held',
      attempts: 0,
      next_attempt_at: null,
      trigger: 'event',
    });
    expect(target.arrived).toEqual([]);
  });

  it('also has its retries held', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    const delivery = await target.event();
    await tamper(target.key, { status: 'disabled' });
    pass(6000);
    await attempt(await next({ ...(delivery as never as DeliveryBody), delivery_id: delivery?.id ?? '' }));
    expect(await row(target.id)).toMatchObject({ status: 'held', attempts: 1 });
    expect(target.arrived).toHaveLength(1);
  });

  it('is enabled by a PUT with a new target URL, but by no other PUT', async () => {
    const target = await disabled();
    const same = await update(target.id, { name: null, nmae: 'typo', status: 'available' }, keys.integration);
    expect(same.body.webhooks[0]).toMatchObject({ status: 'disabled' });
    const { target_url } = same.body.webhooks[0];
    const moved = await update(target.id, { target_url: `${target_url}?new` }, keys.integration);
    expect(moved.body.webhooks[0]).toMatchObject({ status: 'available' });
    expect(await record(target.id)).not.toHaveProperty('failing_since');
    expect(await target.event()).toMatchObject({ status: 'delivered' });
  });

  it('is enabled by a successful ping, but not by a failed ping', async () => {
    const target = await disabled();
    target.behaviour.status = 500;
    expect((await ping(target.id)).status).toBe(202);
    await drain();
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
    await takeAll();
    target.behaviour.status = 200;
    pass(minute);
    await ping(target.id);
    await drain();
    expect(await record(target.id)).toMatchObject({ status: 'available', last_triggered_at: null });
    expect(await record(target.id)).not.toHaveProperty('failing_since');
    expect(target.arrived.map(({ body }) => JSON.parse(body).event)).toEqual(['webhook.ping', 'webhook.ping']);
  });
});

describe('POST …/disable/ and …/enable/', () => {
  const post = (verb: 'disable' | 'enable', id: string, key = keys.integration) =>
    stack.call(`webhooks/${verb}`, { path: `/admin/webhooks/${id}/${verb}/`, key });

  it('return 200 with the webhook: all fields, its new status and the time, but no secret', async () => {
    const target = await hook({ secret: 'shh' });
    await target.event();
    pass(minute);
    for (const [verb, status] of [
      ['disable', 'disabled'],
      ['enable', 'available'],
    ] as const) {
      const answer = await post(verb, target.id);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        webhooks: [
          {
            ...(await update(target.id, { name: null }, keys.integration)).body.webhooks[0],
            status,
            updated_at: new Date().toISOString(),
          },
        ],
      });
      expect(answer.body.webhooks[0]).toMatchObject({ secret: null, last_triggered_status: '200' });
    }
  });

  it('hold the deliveries in between, which a replay sends, but enabling does not', async () => {
    const target = await hook();
    await post('disable', target.id);
    expect(await target.event()).toMatchObject({
      status: 'held',
      attempts: 0,
      waiting_for: { reason: 'disabled', until: null },
    });
    await post('enable', target.id);
    await drain();
    expect(target.arrived).toEqual([]);
    const replays = [{ since: new Date(Date.now() - day), until: new Date(Date.now() + day), status: 'held' }];
    pass(minute);
    await stack.call('replays/create', {
      path: `/admin/webhooks/${target.id}/replays/`,
      body: { replays },
      key: keys.integration,
    });
    await stack.drain('replays');
    await drain();
    expect(target.arrived).toHaveLength(1);
    expect(await target.event()).toMatchObject({ status: 'delivered', trigger: 'event' });
  });

  it('hold the retries of earlier failures', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    const delivery = await target.event();
    await post('disable', target.id);
    pass(6000);
    await attempt(await next({ ...(delivery as never as DeliveryBody), delivery_id: delivery?.id ?? '' }));
    expect(await row(target.id)).toMatchObject({ status: 'held', attempts: 1 });
  });

  it('clear the failures when enabling, and change nothing when the webhook is disabled already', async () => {
    const target = await disabledForFailures();
    const before = await record(target.id);
    expect((await post('disable', target.id)).body.webhooks[0]).toMatchObject({ status: 'disabled' });
    expect(await record(target.id)).toEqual(before);
    await post('enable', target.id);
    expect(await record(target.id)).not.toHaveProperty('failing_since');
    await target.event();
    expect(target.arrived).toHaveLength(1);
  });

  it('refuse an integration that enables its webhook after staff have disabled it', async () => {
    const target = await hook();
    await post('disable', target.id, keys.staff.Administrator);
    expectRefusal(await post('enable', target.id), { status: 403, type: 'NoPermissionError' });
    await update(target.id, { target_url: newUrl() }, keys.integration);
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
    expect((await post('enable', target.id, keys.staff.Administrator)).status).toBe(200);
    await post('disable', target.id);
    expect((await post('enable', target.id)).status).toBe(200);
  });

  it('keep a webhook disabled that staff disable after its receiver or its integration had', async () => {
    const target = await hook();
    Object.assign(target.behaviour, { headers: { 'Webhook-Delivery': 'disable' } });
    await target.event();
    await post('disable', target.id, keys.staff.Administrator);
    expectRefusal(await post('enable', target.id), { status: 403, type: 'NoPermissionError' });
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
  });

  it('leave a webhook that staff have disabled as it is after a successful ping', async () => {
    const target = await hook();
    await post('disable', target.id, keys.staff.Administrator);
    pass(minute);
    await ping(target.id);
    await drain();
    expect(target.arrived.map(({ body }) => JSON.parse(body).event)).toEqual(['webhook.ping']);
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
    await post('enable', target.id, keys.staff.Administrator);
    await post('disable', target.id);
    pass(minute);
    await ping(target.id);
    await drain();
    expect(await record(target.id)).toMatchObject({ status: 'available' });
  });

  it('send no mail to the owners', async () => {
    const target = await hook();
    await post('disable', target.id);
    pass(day);
    await stack.invoke('due/sweep', {});
    expect(await mailed(target.id)).toEqual([]);
  });

  it('are open to whoever can manage the webhook', async () => {
    const target = await hook();
    for (const verb of ['disable', 'enable'] as const) {
      expectRefusal(await post(verb, target.id, keys.otherIntegration), { status: 403, type: 'NoPermissionError' });
      expectRefusal(await post(verb, target.id, keys.staff.Editor), { status: 403, type: 'NoPermissionError' });
      expectRefusal(await post(verb, 'f'.repeat(24)), { status: 404, type: 'NotFoundError' });
      expect((await post(verb, target.id, keys.owner)).status).toBe(200);
    }
  });
});

describe('`webhook-delivery: disable` in a response', () => {
  it.each([200, 400])('with the status %i disables the webhook at once, and its owners get a mail', async (status) => {
    const target = await hook();
    Object.assign(target.behaviour, { status, headers: { 'Webhook-Delivery': 'disable' } });
    await target.event();
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
    const mails = await mailed(target.id);
    const { host } = new URL(target.origin);
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill(`A webhook at ${host} is disabled: target gone`));
  });

  it('mails the owners once in six hours at most, however often the webhook is enabled again', async () => {
    const target = await hook();
    Object.assign(target.behaviour, { headers: { 'Webhook-Delivery': 'disable' } });
    for (let cycle = 0; cycle < 5; cycle++) {
      await target.event();
      expect(await record(target.id)).toMatchObject({ status: 'disabled' });
      await stack.drain('mail');
      const path = `/admin/webhooks/${target.id}/enable/`;
      expect((await stack.call('webhooks/enable', { path, key: keys.integration })).status).toBe(200);
    }
    expect(await mailed(target.id)).toHaveLength(2);
    pass(day);
    await target.event();
    expect(await mailed(target.id)).toHaveLength(2 * 2);
  });

  it.each([
    ['a success', 200],
    ['another failure', 500],
  ])('disables a webhook that was failing before, with %s', async (_, status) => {
    const target = await hook();
    target.behaviour.status = 500;
    await target.event();
    expect(await record(target.id)).toHaveProperty('failing_since');
    Object.assign(target.behaviour, { status, headers: { 'Webhook-Delivery': 'disable' } });
    await target.event();
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
    if (status === 200) expect(await record(target.id)).not.toHaveProperty('failing_since');
    const { host } = new URL(target.origin);
    expect((await mailed(target.id)).map(({ subject }) => subject)).toEqual(
      Array(2).fill(`A webhook at ${host} is disabled: target gone`),
    );
  });

  it('is not undone by a simultaneous success', async () => {
    const target = await hook();
    await target.event();
    // Both have read the webhook while it was available.
    const next = (await messagesFor()).find(({ webhook_id }) => webhook_id === target.id);
    Object.assign(target.behaviour, { headers: { 'Webhook-Delivery': 'disable' } });
    const other = (await messagesFor()).find(({ webhook_id }) => webhook_id === target.id);
    await stack.work('slow-deliveries', [next, other]);
    expect(await record(target.id)).toMatchObject({ status: 'disabled' });
  });
});

describe('POST …/ping/', () => {
  it('sends webhook.ping to the webhook, whatever event it subscribes to, with the trigger ping', async () => {
    const target = await hook({ secret: 'shh', name: 'Mine' });
    const answer = await ping(target.id);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ pings: [{ delivery_id: expect.stringMatching(/^[0-9a-f]{24}$/) }] });
    await drain();
    const [delivery] = target.arrived;
    expect(documentedBodyOf(delivery?.body ?? '')).toEqual({
      event: 'webhook.ping',
      webhook: {
        current: {
          id: target.id,
          event: 'post.published',
          target_url: target.target_url,
          name: 'Mine',
          api_version: 'v6.0',
        },
        previous: {},
      },
    });
    expect(delivery?.headers['x-ghost-signature']).toMatch(/^sha256=/);
    const { delivery_id } = answer.body.pings[0];
    expect(await row(target.id)).toMatchObject({ id: delivery_id, trigger: 'ping', status: 'delivered' });
  });

  it('makes one attempt, even if it fails', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    await ping(target.id);
    await drain();
    expect(await row(target.id)).toMatchObject({ status: 'failed', attempts: 1, next_attempt_at: null });
    expect([...(await stack.take('deliveries')), ...(await stack.take('slow-deliveries'))]).toEqual([]);
  });

  it('is sent while the circuit breaker is open, and closes it if it succeeds', async () => {
    const target = await hook();
    target.behaviour.status = 500;
    for (let event = 0; event < 5; event++)
      await stack.work(
        'slow-deliveries',
        (await messagesFor()).filter(({ webhook_id }) => webhook_id === target.id),
      );
    await takeAll();
    const attempted = target.arrived.length;
    target.behaviour.status = 200;
    await ping(target.id);
    await drain();
    expect(target.arrived).toHaveLength(attempted + 1);
    await deliver();
    expect(target.arrived).toHaveLength(attempted + 2);
    await takeAll();
  });

  it('does not count for the health of the webhook', async () => {
    const target = await hook();
    const before = await record(target.id);
    target.behaviour.status = 500;
    await ping(target.id);
    await drain();
    target.behaviour.status = 200;
    pass(minute);
    await ping(target.id);
    await drain();
    expect(await record(target.id)).toMatchObject({ ...before });
    expect(await record(target.id)).not.toHaveProperty('health');
    await takeAll();
  });

  it('is accepted five times a minute for each webhook, and then returns 429 with Retry-After', async () => {
    const target = await hook();
    for (let number = 0; number < 5; number++) expect((await ping(target.id)).status).toBe(202);
    const answer = await ping(target.id);
    expectRefusal(answer, { status: 429, type: 'TooManyRequestsError' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    pass(Number(answer.headers['retry-after']) * 1000);
    expect((await ping(target.id)).status).toBe(202);
    await takeAll();
  });

  it('creates a delivery that can be sent again from the log', async () => {
    const target = await hook();
    await ping(target.id);
    await drain();
    const { id } = await row(target.id);
    const path = `/admin/webhooks/${target.id}/deliveries/${id}/redeliver/`;
    expect((await stack.call('deliveries/redeliver', { path, key: keys.owner })).status).toBe(202);
    await drain();
    expect(target.arrived).toHaveLength(2);
  });

  it('is refused if the caller cannot manage the webhook', async () => {
    const target = await hook();
    expectRefusal(await ping(target.id, keys.otherIntegration), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await ping('0'.repeat(24)), { status: 404, type: 'NotFoundError' });
    expect((await ping(target.id, keys.owner)).status).toBe(202);
    await takeAll();
  });
});

describe('last_triggered_* in the response to a PUT', () => {
  it("describe the newest delivery, although the webhook's record is written only once a day", async () => {
    const target = await hook();
    await target.event();
    const written = await record(target.id);
    pass(minute);
    await deliver();
    expect(await record(target.id)).toEqual(written);
    const newest = (await rows(target.id)).at(-1);
    const answer = await update(target.id, { name: 'Seen' }, keys.integration);
    expect(answer.body.webhooks[0]).toMatchObject({
      last_triggered_at: newest?.last_attempt_at,
      last_triggered_status: '200',
      last_triggered_error: null,
    });
    expect(newest?.last_attempt_at).not.toBe(written?.last_triggered_at);
  });

  it('are null before the first event, and pings do not change them', async () => {
    const target = await hook();
    await ping(target.id);
    await drain();
    const answer = await update(target.id, { name: 'Seen' }, keys.integration);
    expect(answer.body.webhooks[0]).toMatchObject({
      last_triggered_at: null,
      last_triggered_status: null,
      last_triggered_error: null,
    });
  });

  it("come from the webhook's record if the log has expired", async () => {
    const target = await hook();
    await tamper(target.key, {
      last_triggered_at: '2026-01-01T00:00:00.000Z',
      last_triggered_status: null,
      last_triggered_error: 'dns',
    });
    const answer = await update(target.id, { name: 'Seen' }, keys.integration);
    expect(answer.body.webhooks[0]).toMatchObject({
      last_triggered_at: '2026-01-01T00:00:00.000Z',
      last_triggered_status: null,
      last_triggered_error: 'dns',
    });
  });
});
