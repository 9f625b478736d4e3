/** The scenarios to measure: a function, a typical event, and the goal it must reach. */
import { randomBytes, randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { FunctionName } from '../../../shared/contract.ts';
import { dueAt } from '../../../shared/due/due-index.ts';
import type { World } from './world.ts';

/** The goal of a memory size: latencies in ms when warm and for INIT with the first request, or units of work per second and environment. */
export type Goal = { readonly p99Ms: number; readonly coldMs: number } | { readonly perSecond: number };

export interface Scenario {
  readonly function: FunctionName;
  /** Describes one event. */
  readonly event: string;
  readonly goal: Goal;
  /** How many units of work one event contains, and what they are called. */
  readonly units: number;
  readonly unit: string;
  readonly invocations: number;
  /** Below this memory in MB, the function takes its receivers for slow and moves their deliveries instead of posting them. */
  readonly minMemoryMb?: number;
  /** Prepares the table and returns the function that makes the next event. */
  readonly prepare: (world: World) => Promise<() => object | Promise<object>>;
}

const api = { goal: { p99Ms: 250, coldMs: 500 }, units: 1, unit: 'requests', invocations: 40 } as const;
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Creates a webhook that targets the world's receiver. */
export const hook = (world: World, event = 'post.published') =>
  world.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: world.keys.integration,
    body: { webhooks: [{ event, target_url: world.target(hex(6)), secret: 'a secret of the owner' }] },
  });

const html = 'x'.repeat(2000);

/** Publishes an event and takes the messages of its deliveries, without those of other scenarios. */
const messagesOf = async (world: World, request: ReturnType<typeof publication>): Promise<readonly object[]> => {
  for (const queue of ['events', 'deliveries'] as const) await world.take(queue);
  await world.call('events/publish', request);
  const events = await world.take('events');
  if (events.length > 0) await world.invoke('deliveries/fan-out', world.batch('events', events));
  return world.take('deliveries');
};

/** Text for a payload of 1 MiB that hardly compresses: the worst case of an event. */
const largeHtml = (): string => randomBytes(786_000).toString('base64');

const publication = ({ keys }: World, text = html, event = 'post.published') => ({
  path: '/admin/events/',
  key: keys.integration,
  body: {
    events: [{ event, payload: { post: { current: { title: hex(8), html: text }, previous: {} } } }],
  },
});

export const scenarios: readonly Scenario[] = [
  {
    ...api,
    function: 'events/publish',
    event: 'one event of 2 KB',
    prepare: async (world) => () => world.eventOf('events/publish', publication(world)),
  },
  {
    ...api,
    function: 'events/publish',
    event: 'one event of 1 MiB',
    goal: { p99Ms: 1000, coldMs: 1500 },
    invocations: 20,
    prepare: async (world) => {
      const text = largeHtml();
      return () => world.eventOf('events/publish', publication(world, text));
    },
  },
  {
    ...api,
    function: 'deliveries/list',
    event: 'a page of 15 of 30 deliveries',
    prepare: async (world) => {
      const { webhooks } = await hook(world, 'post.deleted');
      const { id } = webhooks[0];
      for (let count = 0; count < 30; count++)
        await world.invoke(
          'deliveries/deliver',
          world.batch('deliveries', await messagesOf(world, publication(world, html, 'post.deleted'))),
        );
      return () =>
        world.eventOf('deliveries/list', { path: `/admin/webhooks/${id}/deliveries/`, key: world.keys.integration });
    },
  },
  {
    ...api,
    function: 'integrations/list',
    event: 'two integrations with eleven webhooks and their keys',
    prepare: async (world) => {
      for (let count = 0; count < 10; count++) await hook(world, 'tag.added');
      return () =>
        world.eventOf('integrations/list', {
          path: '/admin/integrations/?include=webhooks,api_keys',
          key: world.keys.owner,
        });
    },
  },
  {
    ...api,
    function: 'webhooks/create',
    event: 'one webhook',
    prepare: async (world) => () =>
      world.eventOf('webhooks/create', {
        path: '/admin/webhooks/',
        key: world.keys.integration,
        body: { webhooks: [{ event: 'page.published', target_url: world.target(hex(8)) }] },
      }),
  },
  {
    ...api,
    function: 'invites/create',
    event: 'one invite',
    prepare: async (world) => {
      const { roles } = await world.call('roles/list', { path: '/admin/roles/', key: world.keys.owner });
      const role_id = roles.find(({ name }: { name: string }) => name === 'Author').id;
      return () =>
        world.eventOf('invites/create', {
          path: '/admin/invites/',
          key: world.keys.owner,
          body: { invites: [{ email: `${hex(8)}@example.org`, role_id }] },
        });
    },
  },
  {
    ...api,
    function: 'roles/list',
    event: 'a list of the roles: the cheapest request with a key',
    prepare: async (world) => () => world.eventOf('roles/list', { path: '/admin/roles/', key: world.keys.owner }),
  },
  {
    ...api,
    function: 'openapi/read',
    event: 'the OpenAPI document, compressed',
    prepare: async (world) => () =>
      world.eventOf('openapi/read', { path: '/admin/openapi.json/', headers: { 'Accept-Encoding': 'gzip' } }),
  },
  {
    function: 'deliveries/fan-out',
    event: 'one event for 100 subscribers',
    // Four environments (the contract's concurrency) must feed two thousand deliveries a second.
    goal: { perSecond: 500 },
    units: 100,
    unit: 'messages',
    invocations: 12,
    prepare: async (world) => {
      for (let count = 0; count < 100; count++) await hook(world, 'member.added');
      return () =>
        world.batch('events', [
          {
            kind: 'event',
            id: randomUUID(),
            publisher: 'bench',
            event: 'member.added',
            accepted_at: new Date().toISOString(),
            payload: { member: { current: { name: hex(4), note: html }, previous: {} } },
          },
        ]);
    },
  },
  {
    function: 'deliveries/deliver',
    event: 'ten deliveries to ten receivers, which answer after 50 ms',
    // Ten environments (the contract's concurrency) must deliver a thousand a second.
    goal: { perSecond: 100 },
    units: 10,
    unit: 'deliveries',
    invocations: 20,
    prepare: async (world) => {
      for (let count = 0; count < 10; count++) await hook(world, 'post.unpublished');
      return async () =>
        world.batch('deliveries', await messagesOf(world, publication(world, html, 'post.unpublished')));
    },
  },
  {
    function: 'deliveries/deliver',
    event: 'ten deliveries of ten events of 1 MiB',
    minMemoryMb: 256,
    goal: { perSecond: 5 },
    units: 10,
    unit: 'deliveries',
    invocations: 6,
    prepare: async (world) => {
      await hook(world, 'post.edited');
      const text = largeHtml();
      return async () => {
        const messages: object[] = [];
        for (let count = 0; count < 10; count++)
          messages.push(...(await messagesOf(world, publication(world, text, 'post.edited'))));
        return world.batch('deliveries', messages);
      };
    },
  },
  {
    function: 'due/sweep',
    event: '320 due deliveries in 16 shards',
    goal: { perSecond: 250 },
    units: 320,
    unit: 'due items',
    invocations: 3,
    prepare: async (world) => {
      await hook(world, 'post.scheduled');
      const [message = {}] = await messagesOf(world, publication(world, html, 'post.scheduled'));
      return async () => {
        await putDue(world, message, 320);
        return {};
      };
    },
  },
  {
    function: 'mail/send',
    event: 'ten invitations',
    goal: { perSecond: 14 },
    units: 10,
    unit: 'mails',
    invocations: 5,
    prepare: async (world) => {
      const { roles } = await world.call('roles/list', { path: '/admin/roles/', key: world.keys.owner });
      const role_id = roles.find(({ name }: { name: string }) => name === 'Author').id;
      return async () => {
        const invites = Array.from({ length: 10 }, () => ({ email: `${hex(8)}@example.org`, role_id }));
        const path = '/admin/invites/';
        const made = await world.call('invites/create', { path, key: world.keys.owner, body: { invites } });
        await world.take('mail');
        return world.batch(
          'mail',
          made.invites.map(({ id }: { id: string }) => ({ invite_id: id })),
        );
      };
    },
  },
];

/** Writes deliveries that are due and have no message. */
const putDue = async ({ table, tableName }: World, message: object, count: number): Promise<void> => {
  const items = Array.from({ length: count }, () => {
    const id = Date.now().toString(16).padStart(12, '0') + hex(6);
    const key = { pk: `WEBHOOK#${hex(12)}`, sk: `DELIVERY#${id}` };
    const times = { created_at: new Date().toISOString(), next_attempt_at: new Date(Date.now() - 1000).toISOString() };
    return {
      ...message,
      ...key,
      ...times,
      ...dueAt(key, Date.now() - 1000),
      id,
      status: 'retrying',
      attempts: 1,
      log: [],
    };
  });
  for (let start = 0; start < items.length; start += 25)
    await table.send(
      new BatchWriteCommand({
        RequestItems: { [tableName]: items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
};
