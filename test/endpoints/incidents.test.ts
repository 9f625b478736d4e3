/** Incidents in the mailbox: one mail about webhooks that fail together, with cause and cure, and one at the end. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, messagesFor, tamper, record } = deliveryTools(stack, keys);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const owner = 'owner@masthead.example';
// The clock must not go back between tests, because times in the table must not be in the future.
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const open: { close(): void }[] = [];
afterAll(() => {
  vi.useRealTimers();
  for (const receiver of open) receiver.close();
});

/** Starts a receiver with this many webhooks, each with an event of its own host's webhooks only. */
const host = async (count: number) => {
  const behaviour = { status: 200 };
  const receiver = await receiveWebhooks((response) => response.writeHead(behaviour.status).end());
  open.push(receiver);
  const hooks: Awaited<ReturnType<typeof webhook>>[] = [];
  for (let number = 0; number < count; number++)
    hooks.push(await webhook(`${receiver.origin}/${number}`, { name: `Hook ${number}` }));
  return { host: new URL(receiver.origin).host, behaviour, hooks };
};

const attempt = async () => {
  const messages = await messagesFor();
  // The circuit breaker is not tested here.
  for (const { webhook_id } of messages)
    await tamper(webhookKey(webhook_id as WebhookId), { health: undefined, health_revision: undefined });
  pass(minute);
  await stack.work('slow-deliveries', messages);
  await stack.take('slow-deliveries');
};

const taken = async () => (await stack.take('mail')).map(({ body }) => body);

let seen = 0;
const mailsSince = async () => {
  const mails = await stack.mailsTo(owner);
  const fresh = mails.slice(seen);
  seen = mails.length;
  return fresh.map(({ subject, body }) => ({ subject, text: body.text ?? '' }));
};
/** The same, after everything that waits in the queue. */
const mailed = async () => {
  await stack.drain('mail');
  return mailsSince();
};
const subjects = async () => (await mailed()).map(({ subject }) => subject).sort();

describe('21 webhooks of three hosts that fail, recover and fail again', async () => {
  const hosts = await Promise.all([host(7), host(7), host(7)]);
  const answer = (status: number) => {
    for (const { behaviour } of hosts) behaviour.status = status;
  };
  const failing = hosts.map((one) => `7 webhooks at ${one.host} are failing: unreachable`).sort();
  const working = hosts.map((one) => `The webhooks at ${one.host} work again`).sort();

  it('make one mail to a person for each host, after half an hour, with cause, cure and what waits', async () => {
    answer(503);
    await attempt();
    expect(await mailed()).toEqual([]);
    pass(30 * minute);
    await attempt();
    const mails = await mailed();
    expect(mails.map(({ subject }) => subject).sort()).toEqual(failing);
    for (const { text } of mails) {
      expect(text).toContain('Every attempt has failed since');
      expect(text).toMatch(/reports an error\. Look in its log/);
      expect(text).toMatch(/Waiting: +14 deliveries, the oldest kept until/);
    }
  });

  it('make one mail for each host when they work again, and one when they fail again', async () => {
    answer(200);
    await attempt();
    expect(await subjects()).toEqual(working);
    answer(503);
    await attempt();
    pass(30 * minute);
    await attempt();
    expect(await subjects()).toEqual(failing);
    expect(await stack.mailsTo(owner)).toHaveLength(9);
  });

  it('make no flood if they go on so, and the last mail is true', async () => {
    answer(200);
    await attempt();
    // One message for each webhook, then one for each recipient, which returns to the queue.
    for (let step = 0; step < 2; step++) await stack.work('mail', await taken());
    expect(await mailsSince()).toEqual([]);
    const waiting = await taken();
    pass(6 * hour);
    await stack.work('mail', waiting);
    expect((await mailsSince()).map(({ subject }) => subject).sort()).toEqual(working);
  });
});

describe('an incident', () => {
  it('is told again after six hours only if another webhook has joined it', async () => {
    const { hooks, behaviour, host: name } = await host(1);
    behaviour.status = 500;
    await attempt();
    pass(30 * minute);
    await attempt();
    expect(await subjects()).toEqual(['Hook 0 is failing: unreachable']);
    pass(6 * hour);
    await attempt();
    expect(await mailed()).toEqual([]);
    const other = await webhook(`${hooks[0]?.target_url}-2`, { name: 'Other' });
    await attempt();
    pass(31 * minute);
    await attempt();
    expect(await subjects()).toEqual([`2 webhooks at ${name} are failing: unreachable`]);
    behaviour.status = 200;
    await attempt();
    expect(await record(other.id)).not.toHaveProperty('failing_since');
    expect(await subjects()).toEqual([`The webhooks at ${name} work again`]);
  });

  it('is told of when its webhook is disabled', async () => {
    const { hooks, behaviour } = await host(1);
    behaviour.status = 401;
    await attempt();
    pass(31 * minute);
    await attempt();
    expect(await subjects()).toEqual(['Hook 0 is failing: requests refused']);
    pass(5 * day);
    await attempt();
    expect(await record(hooks[0]?.id ?? '')).toMatchObject({ status: 'disabled' });
    expect(await subjects()).toEqual(['Hook 0 is disabled: requests refused']);
  });
});
