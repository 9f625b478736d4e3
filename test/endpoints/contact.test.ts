/** The contact of an integration: it confirms its address with a mailed link before it gets mails about webhooks. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, messagesFor, tamper } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks((response) => response.writeHead(500).end());
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
afterAll(() => {
  vi.useRealTimers();
  receiver.close();
});

const minute = 60_000;
const day = 24 * 60 * minute;
const { integration_id: id } = await webhook(`${receiver.origin}/hook`, { name: 'Shop' });
const setContact = async (contact_email: string | null) => {
  const path = `/admin/integrations/${id}/`;
  const answer = await stack.call('integrations/update', {
    method: 'PUT',
    path,
    key: keys.owner,
    body: { integrations: [{ contact_email }] },
  });
  expect(answer.status).toBe(200);
  return answer.body.integrations[0];
};
const isConfirmed = async () => {
  const answer = await stack.call('integrations/read', { path: `/admin/integrations/${id}/`, key: keys.owner });
  return answer.body.integrations[0].contact_confirmed;
};
/** Returns the subjects of the mails to an address, after everything that waits in the queue. */
const mailsTo = async (address: string) => {
  await stack.drain('mail');
  return stack.mailsTo(address);
};
const subjectsTo = async (address: string) => (await mailsTo(address)).map(({ subject }) => subject);
const linkTo = async (address: string) => {
  const links = (await mailsTo(address)).flatMap(({ body }) => /\/sign-in\/\S+/.exec(body.text ?? '') ?? []);
  return links.at(-1) ?? expect.fail('no link');
};
const open = (path: string) => stack.call('sessions/show-page', { path });
const press = (path: string) =>
  stack.call('sessions/create-on-page', {
    path,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
    body: '',
  });

/** Fails for half an hour, with one attempt at its beginning and one at its end. */
const fail = async () => {
  for (const ms of [0, 31 * minute]) {
    pass(ms + minute);
    const messages = await messagesFor();
    for (const { webhook_id } of messages)
      await tamper(webhookKey(webhook_id as WebhookId), { health: undefined, health_revision: undefined });
    await stack.work('slow-deliveries', messages);
    await stack.take('slow-deliveries');
  }
};

describe('the contact of an integration', () => {
  const address = 'Ops@shop.example';
  const asked = ['Mails about webhooks of The Daily Test'];

  it('is asked by a mail with a link, and gets no other mail before it confirms', async () => {
    expect(await setContact(address)).toMatchObject({ contact_email: address, contact_confirmed: false });
    expect(await subjectsTo(address)).toEqual(asked);
    await fail();
    expect(await subjectsTo(address)).toEqual(asked);
    expect((await stack.mailsTo('owner@masthead.example')).map(({ subject }) => subject)).toEqual([
      'Shop is failing: unreachable',
    ]);
  });

  it('confirms with the button of the page, and not by opening it', async () => {
    const link = await linkTo(address);
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('contact of the integration Demo integration');
    expect(await isConfirmed()).toBe(false);
    for (let times = 0; times < 2; times++) {
      const pressed = await press(link);
      expect(pressed.status).toBe(200);
      expect(pressed.text).toContain('Your address is confirmed');
      expect(pressed.headers).not.toHaveProperty('set-cookie');
    }
    expect(await isConfirmed()).toBe(true);
    await setContact(address);
    expect(await subjectsTo(address)).toEqual(asked);
  });

  it('then gets the mails about the webhooks of the integration', async () => {
    await tamper(webhookKey((await messagesFor())[0]?.webhook_id as WebhookId), {
      failing_since: undefined,
      warned_at: undefined,
    });
    await fail();
    expect(await subjectsTo(address)).toEqual([...asked, 'Shop is failing: unreachable']);
  });

  it('has to confirm another address again, and the link of the old one is dead', async () => {
    const link = await linkTo(address);
    await setContact('new@shop.example');
    expect(await isConfirmed()).toBe(false);
    expect(await subjectsTo('new@shop.example')).toEqual(asked);
    for (const dead of [await open(link), await press(link)]) expect(dead.status).toBe(404);
  });

  it('gets three such mails a day at most, and a link that works for a week', async () => {
    const link = await linkTo('new@shop.example');
    for (let times = 0; times < 4; times++) await setContact('new@shop.example');
    expect(await subjectsTo('new@shop.example')).toHaveLength(3);
    pass(7 * day);
    expect((await open(link)).status).toBe(404);
    expect((await press(link)).status).toBe(404);
    expect(await isConfirmed()).toBe(false);
  });

  it('is not asked if there is none', async () => {
    await setContact(null);
    expect((await stack.take('mail')).filter(({ body }) => 'contact_of' in body)).toEqual([]);
  });
});
