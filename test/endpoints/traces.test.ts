/** The trace of an event (W3C Trace Context): one `traceparent` from the publisher through the fan-out to attempts. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { deliveryActivities, traceActivities } from '../../infra/local/activity.ts';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { takeLog } from '../support/log-lines.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

process.env.LOG_LEVEL = 'INFO';
const stack = await freshStack();
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
let failing = '';
const receiver = await receiveWebhooks((response, { path }) => {
  response.statusCode = path === failing ? 500 : 200;
  response.end();
});
afterAll(() => receiver.close());
const written = takeLog();

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

const events = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8');

const publish = async (headers: Readonly<Record<string, string>>, event = 'post.published'): Promise<void> => {
  const [resource = ''] = event.split('.');
  const body = { events: [{ event, payload: { [resource]: { current: { title: 'Hello' } } } }] };
  const answer = await stack.call('events/publish', { path: '/admin/events/', key: keys.integration, headers, body });
  expect(answer.status).toBe(202);
};
const deliverAll = async (): Promise<void> => {
  for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
};
const arrived = (path: string) =>
  receiver.deliveries.filter((one) => one.path === path).map(({ headers }) => headers.traceparent);

const stepsOf = (id: string) =>
  written.lines().flatMap(({ message, trace_id, deliveries }) => {
    const ofBatch = Array.isArray(deliveries) ? deliveries.some((one) => one.trace_id === id) : false;
    return trace_id === id || ofBatch ? [message] : [];
  });

describe('the traceparent of a publisher', () => {
  it('reaches the receiver with each attempt, and the log names its trace at every step', async () => {
    const path = '/twice';
    failing = path;
    const { id } = await tools.webhook(`${receiver.origin}${path}`);
    await throughTheQueue(stack, () => publish({ traceparent }));
    await deliverAll();
    failing = '';
    const [first] = await tools.rows(id);
    await stack.work('deliveries', [
      await tools.next({ ...first, webhook_id: id, delivery_id: first?.id ?? '' } as never),
    ]);
    expect(arrived(path)).toEqual([traceparent, traceparent]);
    expect(stepsOf(traceId)).toEqual(expect.arrayContaining(['fanned out', 'not delivered', 'delivered']));
    const shown = await stack.call('deliveries/read', {
      path: `/admin/webhooks/${id}/deliveries/${first?.id}/`,
      key: keys.owner,
    });
    expect(shown.body.deliveries[0].request.headers.traceparent).toBe(traceparent);
  });

  it('is printed by the local stack from its publisher to the second attempt, as docs/events.md shows', async () => {
    const [path, trace] = ['/printed', 'd'.repeat(32)];
    failing = path;
    const { id } = await tools.webhook(`${receiver.origin}${path}`, { event: 'page.edited' });
    await publish({ traceparent: traceparent.replace(traceId, trace) }, 'page.edited');
    await deliverAll();
    failing = '';
    const [first] = await tools.rows(id);
    await stack.work('deliveries', [
      await tools.next({ ...first, webhook_id: id, delivery_id: first?.id ?? '' } as never),
    ]);
    const printed = written
      .lines()
      .map((line) => JSON.stringify(line))
      .flatMap((line) => [...traceActivities(line), ...deliveryActivities(line)])
      .filter(({ text }) => text.includes(trace))
      .map(({ type, text }) => `${type.padEnd(8)}  ${text}`);
    const [, shown = ''] = /## A trace[\s\S]*?\n\$ .*\n([\s\S]*?)```/.exec(events) ?? [];
    const comparable = (line: string) =>
      line.replace(/[0-9a-f]{24,32}/g, '<id>').replace(/\d{4}-\d\d-\d\dT\S+Z/, '<time>');
    expect(printed.map(comparable)).toEqual(
      shown
        .trim()
        .split('\n')
        .map((line) => comparable(line.slice('hh:mm:ss  '.length))),
    );
  });

  it('is read from the relay of a Ghost site', async () => {
    const path = '/relayed';
    await tools.webhook(`${receiver.origin}${path}`, { event: 'page.published' });
    const created = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations: [{ name: 'A Ghost site', can_publish: true }] },
    });
    const integration = created.body.integrations[0].id;
    const made = await stack.call('integrations/replace-inbound-secret', {
      path: `/admin/integrations/${integration}/inbound_secret/`,
      key: keys.owner,
    });
    const at = Date.now();
    const body = JSON.stringify({ event: 'page.published', page: { current: { title: 'P' }, previous: {} } });
    const hash = createHmac('sha256', made.body.secrets[0].secret).update(`${body}${at}`).digest('hex');
    const answer = await stack.call('inbound/ghost', {
      path: `/inbound/ghost/${integration}/page.published/`,
      headers: { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${hash}, t=${at}`, traceparent },
      body,
    });
    expect(answer.status).toBe(202);
    await deliverAll();
    expect(arrived(path)).toEqual([traceparent]);
  });

  it('is read from `detail.traceparent` on the bus, and is no part of the payload', async () => {
    const path = '/bus';
    await tools.webhook(`${receiver.origin}${path}`, { event: 'tag.added' });
    await stack.send('events', {
      id: 'e-traced',
      account: '111111111111',
      source: 'cms',
      'detail-type': 'tag.added',
      time: new Date().toISOString().replace(/\.\d+Z/, 'Z'),
      detail: { traceparent, tag: { current: { name: 'News' }, previous: {} } },
    });
    await deliverAll();
    expect(arrived(path)).toEqual([traceparent]);
    expect(receiver.deliveries.find((one) => one.path === path)?.body).not.toContain(traceId);
  });

  it.each([
    ['none', undefined, undefined],
    ['text', 'hello', undefined],
    ['an empty trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
    ['an empty parent', `00-${traceId}-${'0'.repeat(16)}-01`, undefined],
    ['upper case', traceparent.toUpperCase(), undefined],
    ['the forbidden version', `ff${traceparent.slice(2)}`, undefined],
    ['more fields than version 00 has', `${traceparent}-x`, undefined],
    ['a later version', `cc${traceparent.slice(2)}-what-comes`, `cc${traceparent.slice(2)}`],
  ])('that is %s is forwarded as the standard says, and stops no event', async (name, sent, forwarded) => {
    const path = `/form-${name.replaceAll(' ', '-')}`;
    await tools.webhook(`${receiver.origin}${path}`);
    await publish(sent === undefined ? {} : { traceparent: sent });
    await deliverAll();
    expect(arrived(path)).toEqual([forwarded]);
  });
});

it.each(['traceparent', 'Traceparent'])('a webhook cannot have a header of its own named %s', async (name) => {
  const answer = await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: keys.integration,
    body: {
      webhooks: [
        {
          event: 'post.published',
          target_url: `https://hooks.example.org/${name}`,
          options: { headers: { [name]: traceparent } },
        },
      ],
    },
  });
  expectRefusal(answer, { status: 422, type: 'ValidationError' });
});
