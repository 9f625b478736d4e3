/** Stories of events, webhooks and deliveries. Everything that is stored or queued needs a story, or it is not checked. */
import { createHmac } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect } from 'vitest';
import { newAddress } from '../support/invites.ts';
import { isSignedWith, pass, type Story, type TestWorld } from './world.ts';

const minute = 60_000;
/** An event with it is stored compressed. */
const longTitle = 'A title that is long. '.repeat(50);

export const deliveryStories = (world: TestWorld): readonly Story[] => {
  const {
    stack,
    keys,
    tools,
    putAll,
    webhooks,
    answers,
    newTarget,
    arrivals,
    hook,
    publish,
    drain,
    messageFor,
    logOf,
  } = world;
  const rotate = async (id: string): Promise<string> => {
    const path = `/admin/webhooks/${id}/secret/`;
    return (await stack.call('webhooks/rotate-secret', { path, key: keys.integration })).body.secrets[0].secret;
  };
  /** Works on the events queue without waiting for the delay of its messages. */
  const repeatFanOut = async () => {
    const messages = await stack.take('events');
    if (messages.length === 0) return;
    const bodies = messages.map(({ body }) => body);
    expect(await stack.work('events', bodies)).toEqual([]);
  };
  return [
    {
      title: 'a webhook of A gets an event that B accepts, A fans out and B delivers',
      async play({ first, second }) {
        await first();
        const secret = 'a secret of the owner';
        const { id, path } = await hook({ secret });
        await second();
        await publish(undefined, { title: longTitle });
        await first();
        await drain('events');
        await second();
        await drain('deliveries');
        await first();
        const [delivery] = arrivals(path);
        if (delivery === undefined) throw new Error('No delivery has arrived.');
        const [, signature, at = ''] =
          /^sha256=([0-9a-f]+), t=(\d+)$/.exec(delivery.headers['x-ghost-signature'] ?? '') ?? [];
        expect(signature).toBe(createHmac('sha256', secret).update(`${delivery.body}${at}`).digest('hex'));
        expect(isSignedWith(secret, delivery)).toBe(true);
        expect(delivery.body).toContain(longTitle);
        expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
      },
    },
    {
      title: 'an event id that A has fanned out is a repetition for B',
      async play({ first, second }) {
        await first();
        const { path } = await hook();
        const id = `once${path}`.replace('/', '-');
        await publish(undefined, { id, title: longTitle });
        await drain('events');
        await second();
        await publish(undefined, { id, title: longTitle });
        await repeatFanOut();
        await drain('deliveries');
        expect(arrivals(path)).toHaveLength(1);
      },
    },
    {
      title: 'an event that A stored before it was killed is sent by B when it is published to A again',
      async play({ first, second }) {
        await first();
        const { path } = await hook({ event: 'tag.added' });
        const id = `stored${path}`.replace('/', '-');
        stack.faults.set({
          faults: [{ fault: 'kill', function: 'events/publish', action: 'PutItem', after: true, times: 1 }],
        });
        // A release that stores no event when it accepts one is not killed.
        await tools.publish('tag.added', { id }).catch(({ name }: Error) => expect(name).toBe('InvocationKilled'));
        stack.faults.set({ faults: [] });
        await publish('tag.added', { id });
        await second();
        await repeatFanOut();
        await drain('deliveries');
        expect(arrivals(path)).toHaveLength(1);
      },
    },
    {
      title: 'an event that A stored and could not send is fanned out by B',
      async play({ first, second }) {
        await first();
        const { path } = await hook({ event: 'tag.added' });
        const id = `unsent${path}`.replace('/', '-');
        stack.faults.set({
          faults: [{ fault: 'reset', function: 'events/publish', action: 'SendMessageBatch', times: 3 }],
        });
        const { status } = await tools.publish('tag.added', { id });
        // A release that sends nothing but the event had no queue left for it.
        if (status === 503) await publish('tag.added', { id });
        else expect(status).toBe(202);
        await second();
        await repeatFanOut();
        await drain('deliveries');
        expect(arrivals(path)).toHaveLength(1);
      },
    },
    {
      title: 'a long fan-out that A starts continues with B, and reaches each subscriber once',
      async play({ first, second }) {
        // More than one run reaches.
        const ids = Array.from({ length: 720 }, (_, index) => index.toString(16).padStart(24, '0'));
        await putAll(
          ids.map((webhook_id) => ({ pk: 'EVENT#shop.order.paid', sk: `SUBSCRIBER#${webhook_id}`, webhook_id })),
        );
        await first();
        await publish('shop.order.paid');
        const met: string[] = [];
        let runs = 0;
        const slowly = () => pass(500);
        subscribe('http.client.request.created', slowly);
        try {
          for (let messages = await stack.take('events'); messages.length > 0; messages = await stack.take('events')) {
            await (runs++ % 2 === 0 ? first() : second());
            expect(
              await stack.work(
                'events',
                messages.map(({ body }) => body),
              ),
            ).toEqual([]);
            met.push(...(await stack.take('deliveries')).map(({ body }) => body.webhook_id));
          }
        } finally {
          unsubscribe('http.client.request.created', slowly);
        }
        expect(runs).toBeGreaterThan(1);
        expect(met.toSorted()).toEqual(ids);
      },
    },
    {
      title: 'an attempt that failed with A is repeated by B, and again by A',
      async play({ first, second }) {
        await first();
        const { id, path } = await hook();
        answers.set(path, { status: 500 });
        const retry = await tools.attempt(await messageFor(id), 'deliveries');
        await second();
        pass(10 * minute);
        const last = retry && (await tools.attempt(retry.body));
        await first();
        answers.delete(path);
        pass(10 * minute);
        if (last !== undefined) await tools.attempt(last.body);
        expect(arrivals(path)).toHaveLength(3);
        expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: 3 }]);
      },
    },
    {
      title: 'a retry of A that lost its message is found by the sweep of B, and sent by A',
      async play({ first, second }) {
        await first();
        const { id, path } = await hook();
        answers.set(path, { status: 500 });
        await tools.attempt(await messageFor(id), 'deliveries');
        answers.delete(path);
        await second();
        pass(10 * minute);
        await stack.invoke('due/sweep', {});
        await first();
        await drain('slow-deliveries');
        expect(arrivals(path)).toHaveLength(2);
        expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
      },
    },
    {
      title: 'a circuit breaker that A opened holds for B, whose probe closes it for both',
      async play({ first, second }) {
        await first();
        const { id, path } = await hook();
        answers.set(path, { status: 500 });
        for (let failures = 0; failures < 5; failures++) await stack.work('deliveries', [await messageFor(id)]);
        await stack.take('slow-deliveries');
        await second();
        const message = await messageFor(id);
        await stack.work('slow-deliveries', [message]);
        expect(arrivals(path)).toHaveLength(5);
        answers.delete(path);
        pass(minute);
        await stack.work('slow-deliveries', [message]);
        expect(arrivals(path)).toHaveLength(6);
        await first();
        pass(minute);
        await stack.work('slow-deliveries', [await messageFor(id)]);
        expect(arrivals(path)).toHaveLength(7);
        await stack.take('slow-deliveries');
      },
    },
    {
      title: 'a secret that A rotated signs with B, next to the previous one; and one that B rotated with A',
      async play({ first, second }) {
        await first();
        const { id, path } = await hook({ secret: 'the first one' });
        const rotated = await rotate(id);
        await second();
        await tools.deliver();
        const last = await rotate(id);
        await first();
        await tools.deliver();
        const signatures = arrivals(path).map((delivery) =>
          ['the first one', rotated, last].map((secret) => isSignedWith(secret, delivery)),
        );
        expect(signatures).toMatchObject([
          [true, true, false],
          [expect.any(Boolean), true, true],
        ]);
      },
    },
    {
      title: 'a webhook of A that B moves gets its events from A at the new target, and B refuses another one there',
      async play({ first, second }) {
        await first();
        const { id } = await hook();
        const { path, url } = newTarget();
        await second();
        const webhook = { event: 'post.published', target_url: url };
        expect((await webhooks.update(id, webhook, keys.integration)).status).toBe(200);
        await first();
        await tools.deliver();
        expect(arrivals(path)).toHaveLength(1);
        await second();
        expect((await webhooks.create(webhook, keys.integration)).status).toBe(422);
        expect((await webhooks.remove(id, keys.integration)).status).toBe(204);
        await first();
        expect((await webhooks.create(webhook, keys.integration)).status).toBe(201);
      },
    },
    {
      title: 'a delivery of A is redelivered by B, and a replay that A starts is run by B',
      async play({ first, second }) {
        await first();
        const since = new Date(Date.now() - 1000).toISOString();
        const { id, path } = await hook();
        await tools.deliver();
        await second();
        const [{ id: delivery }] = await logOf(id);
        const base = `/admin/webhooks/${id}`;
        const again = { path: `${base}/deliveries/${delivery}/redeliver/`, key: keys.integration };
        expect((await stack.call('deliveries/redeliver', again)).status).toBe(202);
        await first();
        await drain('deliveries');
        expect(arrivals(path)).toHaveLength(2);
        pass(minute);
        const until = new Date(Date.now() - 1000).toISOString();
        const body = { replays: [{ since, until }] };
        const begun = await stack.call('replays/create', { path: `${base}/replays/`, key: keys.integration, body });
        expect(begun.status).toBe(202);
        for (let runs = 0; runs < 4; runs++) {
          await (runs % 2 === 0 ? second() : first());
          for (const message of await stack.take('replays')) await stack.work('replays', [message.body]);
          await drain('slow-deliveries');
        }
        expect(arrivals(path)).toHaveLength(3);
        const read = { path: `${base}/replays/${begun.body.replays[0].id}/`, key: keys.integration };
        await first();
        expect((await stack.call('replays/read', read)).body.replays).toMatchObject([
          { state: 'finished', progress: { replayed: 1 } },
        ]);
      },
    },
    {
      title: 'pings that A counted count for B',
      async play({ first, second }) {
        await first();
        const { id } = await hook();
        const ping = () => stack.call('webhooks/ping', { path: `/admin/webhooks/${id}/ping/`, key: keys.integration });
        for (let pings = 0; pings < 5; pings++) expect((await ping()).status).toBe(202);
        await second();
        expect((await ping()).status).toBe(429);
        await drain('deliveries');
      },
    },
    {
      title:
        'a webhook whose receiver requests A to disable it is disabled for B, whose mailer notifies the owners, until A enables it',
      async play({ first, second }) {
        await first();
        // The mailbox is shared by all test files: an address of its own.
        const contact_email = newAddress();
        const integration = await stack.call('integrations/create', {
          path: '/admin/integrations/',
          key: keys.owner,
          body: { integrations: [{ name: 'Shop', contact_email }] },
        });
        const { path, url } = newTarget();
        const webhook = {
          event: 'post.published',
          target_url: url,
          integration_id: integration.body.integrations[0].id,
        };
        const { id } = (await webhooks.create(webhook, keys.owner)).body.webhooks[0];
        answers.set(path, { headers: { 'webhook-delivery': 'disable' } });
        await tools.deliver();
        await second();
        await drain('mail');
        expect(await stack.mailsTo(contact_email)).toHaveLength(1);
        await tools.deliver();
        expect(arrivals(path)).toHaveLength(1);
        await first();
        answers.delete(path);
        expect((await webhooks.update(id, { name: 'Enabled' }, keys.owner)).body.webhooks[0].status).toBe('available');
        await second();
        await tools.deliver();
        expect(arrivals(path)).toHaveLength(2);
      },
    },
  ];
};
