/** Nobody can aim a stage's requests at an address that never asked: webhooks without a success share few requests. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { stopTime } from '../support/test-time.ts';

/** More of them say yes than one second allows. */
const perSecond = 5;
const count = 12;
const stack = await freshStack({ deliveries: { unansweredPerHostAndSecond: perSecond } });
const keys = await stack.seed();
const { webhook, publish, rows, record } = deliveryTools(stack, keys);
const { pass, opened } = stopTime();
const minute = 60_000;

const hooksAt = async (event: string, status: number) => {
  const behaviour = { status };
  const receiver = opened(
    await receiveWebhooks((response) => {
      response.writeHead(behaviour.status);
      response.end();
    }),
  );
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const { id } = await webhook(`${receiver.origin}/${event}/${number}`, { event });
    ids.push(id);
  }
  return { ids, behaviour, origin: receiver.origin, arrived: receiver.deliveries };
};

const deliver = async (event: string): Promise<void> => {
  await publish(event);
  await stack.drain('events');
  await stack.drain('deliveries');
};

describe('the webhooks of an integration at a host that does not answer with success', () => {
  it('get few requests a second together, and the others wait for their turn', async () => {
    const { ids, arrived } = await hooksAt('post.added', 404);
    await deliver('post.added');
    expect(arrived).toHaveLength(perSecond);
    const reasons = (await Promise.all(ids.map(rows))).flat().map(({ waiting_for }) => waiting_for?.reason);
    expect(reasons.filter((reason) => reason === 'throttle')).toHaveLength(count - perSecond);
    pass(minute);
    await deliver('post.added');
    expect(arrived).toHaveLength(2 * perSecond);
  });

  it('get them together also if half of them write its name with a final dot', async () => {
    pass(minute);
    const refuse = (response: ServerResponse) => response.writeHead(404).end();
    const { origin, deliveries } = opened(await receiveWebhooks(refuse));
    const { port } = new URL(origin);
    for (let number = 0; number < count; number++) {
      const host = number % 2 === 0 ? 'localhost' : 'localhost.';
      await webhook(`http://${host}:${port}/${number}`, { event: 'page.added' });
    }
    await deliver('page.added');
    expect(deliveries).toHaveLength(perSecond);
  });
});

describe('the webhooks of an integration at a host that answers with success', () => {
  it('all get their first event at once, although none of them has been answered before', async () => {
    pass(minute);
    const { arrived } = await hooksAt('post.edited', 200);
    await deliver('post.edited');
    expect(arrived).toHaveLength(count);
  });

  it('need no place once they have been answered, until one of them is answered otherwise', async () => {
    pass(minute);
    const { ids, behaviour, arrived } = await hooksAt('post.deleted', 200);
    await deliver('post.deleted');
    behaviour.status = 400;
    await deliver('post.deleted');
    expect(arrived).toHaveLength(2 * count);
    const [first = ''] = ids;
    expect(await record(first)).toMatchObject({ accepts: false });
    await deliver('post.deleted');
    expect(arrived).toHaveLength(2 * count + perSecond);
    behaviour.status = 200;
    pass(minute);
    await deliver('post.deleted');
    expect(arrived).toHaveLength(2 * count + 2 * perSecond);
  });

  it('share the requests if they are new, once another new one has been answered otherwise', async () => {
    pass(minute);
    const { behaviour, origin, arrived } = await hooksAt('tag.added', 200);
    await deliver('tag.added');
    behaviour.status = 404;
    await webhook(`${origin}/refused`, { event: 'tag.edited' });
    await deliver('tag.edited');
    pass(minute);
    for (let number = 0; number < count; number++) await webhook(`${origin}/new/${number}`, { event: 'tag.deleted' });
    await deliver('tag.deleted');
    expect(arrived).toHaveLength(count + 1 + perSecond);
  });

  it('pay nothing for that once they have been answered: not even a read of the table', async () => {
    pass(minute);
    const { arrived } = await hooksAt('page.published', 200);
    await deliver('page.published');
    // A success is written by BatchWriteItem.
    const actions = ['GetItem', 'PutItem', 'DeleteItem'] as const;
    stack.faults.set({
      faults: actions.map((action) => ({ fault: 'error', function: 'deliveries/deliver', action }) as const),
    });
    await deliver('page.published');
    stack.faults.set({ faults: [] });
    expect(arrived).toHaveLength(2 * count);
  });

  it('share the requests again with a new target, which has not been answered', async () => {
    pass(minute);
    const { ids } = await hooksAt('page.edited', 200);
    await deliver('page.edited');
    const [first = ''] = ids;
    expect(await record(first)).toMatchObject({ accepts: true });
    const path = `/admin/webhooks/${first}/`;
    const body = { webhooks: [{ target_url: 'https://moved.example/' }] };
    expect((await stack.call('webhooks/update', { path, key: keys.integration, body })).status).toBe(200);
    expect(await record(first)).not.toHaveProperty('accepts');
  });
});
