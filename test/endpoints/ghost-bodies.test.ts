/** Whatever a Ghost site sends is accepted, and arrives byte for byte: generated bodies of Ghost 5.0 to 6, by its own rules. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { eventExamples } from '../../shared/events/examples.ts';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { ghostVersions, siteBody } from '../support/ghost-bodies.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());
for (const event of ghostEvents) await webhook(`${receiver.origin}/${event}`, { event });

const site = async () => {
  const body = { integrations: [{ name: 'Ghost' }] };
  const created = await stack.call('integrations/create', { path: '/admin/integrations/', key: keys.owner, body });
  const id: string = created.body.integrations[0].id;
  const path = `/admin/integrations/${id}/inbound_secret/`;
  const made = await stack.call('integrations/replace-inbound-secret', { path, key: keys.owner });
  return { id, secret: made.body.secrets[0].secret as string };
};
const sites = Object.fromEntries(await Promise.all(ghostVersions.map(async (version) => [version.name, await site()])));

/** Sends a body as a version of Ghost does, and returns the status. */
const send = async ({ name, signsTime }: (typeof ghostVersions)[number], event: string, body: string) => {
  const { id, secret } = sites[name] as Awaited<ReturnType<typeof site>>;
  const at = Date.now();
  const hash = createHmac('sha256', secret)
    .update(body)
    .update(signsTime ? String(at) : '')
    .digest('hex');
  const headers = { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${hash}, t=${at}` };
  const answer = await stack.call('inbound/ghost', { path: `/inbound/ghost/${id}/${event}/`, body, headers });
  return { status: answer.status, message: answer.body.errors?.[0].message };
};

const arrived = async (event: string): Promise<string[]> => {
  await stack.drain('events');
  await stack.drain('deliveries');
  return receiver.deliveries.filter(({ path }) => path === `/${event}`).map(({ body }) => body);
};

it.each(ghostVersions)('a body of $name is accepted and arrives unchanged, whatever its content', async (version) => {
  const bodies = fc.sample(siteBody(version), { numRuns: 60, seed: 47 });
  const sent = new Map<string, Set<string>>();
  for (const { event, body } of bodies) {
    expect({ event, body: body.slice(0, 300), ...(await send(version, event, body)) }).toMatchObject({ status: 202 });
    sent.set(event, (sent.get(event) ?? new Set()).add(body));
  }
  for (const [event, texts] of sent) expect(await arrived(event)).toEqual(expect.arrayContaining([...texts]));
});

it('an excerpt that Ghost cuts anywhere in an emoji arrives unchanged', async () => {
  const [latest] = ghostVersions;
  const bodies: string[] = [];
  for (const emoji of ['🌱', '👩‍🌾', '🇦🇷', '👍🏽', '𝄞'])
    for (let at = 500 - emoji.length; at <= 500; at += 1) {
      const plaintext = `${'x'.repeat(at)}${emoji} and on`;
      const current = { title: emoji, status: 'published', plaintext, excerpt: plaintext.substring(0, 500) };
      const body = JSON.stringify({ event: 'post.published', post: { current, previous: { status: 'draft' } } });
      expect(await send(latest, 'post.published', body)).toMatchObject({ status: 202 });
      bodies.push(body);
    }
  expect(await arrived('post.published')).toEqual(expect.arrayContaining(bodies));
});

it('every example of a Ghost event is one that Ghost may send', async () => {
  const [latest] = ghostVersions;
  for (const event of ghostEvents)
    expect(await send(latest, event, JSON.stringify({ event, ...eventExamples[event]?.payload }))).toMatchObject({
      status: 202,
    });
});
