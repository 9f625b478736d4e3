/** The log says what has happened, finds it by its words and ids, and tells how a webhook does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { webhook, deliver, items, put } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

interface Listed {
  readonly id: string;
  readonly webhook_id: string;
  readonly title?: string | null;
}
const list = async (query: Record<string, string>, key = keys.owner) =>
  (await stack.call('deliveries/list-all', { path: `/admin/deliveries/?${new URLSearchParams(query)}`, key })).body;
const titles = async (query: Record<string, string>, key?: string): Promise<unknown[]> =>
  (await list(query, key)).deliveries.map(({ title }: Listed) => title);

let works: string;
beforeAll(async () => {
  works = (await webhook(`${receiver.origin}/works`)).id;
  for (const title of ['On compilers', 'Frequency hopping', 'Compilers again'])
    await deliver('post.published', { title });
});

describe('the list of deliveries', () => {
  it('says on request what has happened', async () => {
    expect(await titles({ include: 'title' })).toEqual([
      'Post published: Compilers again',
      'Post published: Frequency hopping',
      'Post published: On compilers',
    ]);
    expect(await titles({})).toEqual([undefined, undefined, undefined]);
  });

  it('finds deliveries by a part of it in any case, page by page', async () => {
    const page = await list({ search: 'COMPILERS', limit: '1' });
    expect(page.deliveries.map(({ title }: Listed) => title)).toEqual(['Post published: Compilers again']);
    const query = { search: 'COMPILERS', limit: '1', cursor: page.meta.pagination.next };
    expect(await titles(query)).toEqual(['Post published: On compilers']);
    expect(await list({ search: 'nothing of that' })).toMatchObject({
      deliveries: [],
      meta: { pagination: { next: null } },
    });
  });

  it('looks for it in the newest four events of all webhooks, however many these are', async () => {
    const { id: one, integration_id } = await webhook(`${receiver.origin}/one-of-many`, { event: 'page.added' });
    for (const title of ['A needle', 'Hay', 'More hay', 'Much hay']) await deliver('page.added', { title });
    const sent = (await items(`WEBHOOK#${one}`)).filter(({ sk }) => String(sk).startsWith('DELIVERY#'));
    await put(
      Array.from({ length: 200 }, (_, number) => number.toString(16).padStart(12, '0')).flatMap((end) => {
        const webhook_id = `${'f'.repeat(12)}${end}`;
        const pointer = { pk: `INTEGRATION#${integration_id}`, sk: `WEBHOOK#${webhook_id}`, webhook_id, format: 1 };
        const rows = sent.map((row) => ({
          ...row,
          pk: `WEBHOOK#${webhook_id}`,
          sk: `${String(row.sk).slice(0, -12)}${end}`,
        }));
        return [pointer, ...rows];
      }),
    );
    const { deliveries } = await list({ search: 'needle' });
    expect(deliveries).toHaveLength(100);
  });

  it('finds deliveries by the id of the post and of the event', async () => {
    const id = '0123456789abcdef01234567';
    const body = {
      events: [
        {
          id: 'of-a-post',
          event: 'post.published',
          payload: { post: { current: { id, title: 'Known' }, previous: {} } },
        },
      ],
    };
    await stack.call('events/publish', { path: '/admin/events/', key: keys.integration, body });
    for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
    expect(await titles({ search: id })).toEqual(['Post published: Known']);
    expect(await titles({ search: 'of-a-post' })).toEqual(['Post published: Known']);
  });

  it('has the deliveries of named webhooks, and none of a webhook that the caller cannot see', async () => {
    const [first, second] = (await list({})).deliveries;
    const pairs = [first, second].map(({ webhook_id, id }: Listed) => `${webhook_id}:${id}`);
    const ids = async (delivery_id: string, key?: string) =>
      (await list({ delivery_id }, key)).deliveries.map(({ id }: Listed) => id);
    expect(await ids(pairs.join())).toEqual([first.id, second.id]);
    expect(await ids(pairs.join(), keys.otherIntegration)).toEqual([]);
    const wrong = [`${first.id},${second.id}`, Array.from({ length: 51 }, () => pairs[0]).join(), `${first.id}:`];
    for (const delivery_id of wrong) {
      const path = `/admin/deliveries/?${new URLSearchParams({ delivery_id })}`;
      const answer = await stack.call('deliveries/list-all', { path, key: keys.owner });
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].property).toBe('delivery_id');
    }
  });
});

describe('the summary of a webhook', () => {
  const read = async (id: string) =>
    (
      await stack.call('deliveries/list', {
        path: `/admin/webhooks/${id}/deliveries/?include=summary&limit=1`,
        key: keys.owner,
      })
    ).body.meta.summary;

  it('counts its newest deliveries without pings, and has the time that successful attempts took', async () => {
    await stack.call('webhooks/ping', { path: `/admin/webhooks/${works}/ping/`, key: keys.owner });
    await stack.drain('deliveries');
    expect(await read(works)).toEqual({
      deliveries: 4,
      delivered: 4,
      undelivered: 0,
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
    });
  });

  it('has no times before the first success', async () => {
    const { id } = await webhook(`${receiver.origin}/quiet`, { event: 'page.added' });
    expect(await read(id)).toEqual({ deliveries: 0, delivered: 0, undelivered: 0, p50_ms: null, p95_ms: null });
  });
});
