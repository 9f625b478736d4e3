/** Concurrent requests about webhooks: the table decides which request is first. */
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { namesIn, subscribedLists } from '../../shared/foundation/event-selection.ts';
import { webhookOfKey } from '../../shared/webhooks/table-keys.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { create, update, remove, rotate, existing } = webhookCalls(stack);

const tally = (answers: readonly TestResponse[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const scan = async () => {
  const { Items = [] } = await stack.dynamodb.send(
    new ScanCommand({ TableName: stack.tableName, ConsistentRead: true }),
  );
  return Items.map((item) => unmarshall(item));
};

/** The invariant: every webhook has a guard per name, a subscriber per list, and a pointer, and there are no others. */
afterEach(async () => {
  const items = await scan();
  const webhooks = items.filter(({ pk, sk }) => webhookOfKey({ pk, sk }) !== undefined);
  const guards = items.filter(({ sk }) => sk.startsWith('TARGET#'));
  const subscribers = items.filter(({ sk, left }) => sk.startsWith('SUBSCRIBER#') && left === undefined);
  const pointers = items.filter(({ pk, sk }) => pk.startsWith('INTEGRATION#') && sk.startsWith('WEBHOOK#'));
  const ids = webhooks.map(({ id }) => id).sort();
  const placesOf = (places: typeof items) => places.map(({ pk, webhook_id }) => `${pk} ${webhook_id}`).sort();
  const wanted = (listsOf: (event: string) => readonly string[]) =>
    webhooks.flatMap(({ id, event }) => listsOf(event).map((list) => `EVENT#${list} ${id}`)).sort();
  expect(placesOf(guards)).toEqual(wanted(namesIn));
  expect(placesOf(subscribers)).toEqual(wanted(subscribedLists));
  expect(pointers.map(({ sk }) => sk.slice('WEBHOOK#'.length)).sort()).toEqual(ids);
});

const variants = (url: string) => [url, url.toUpperCase(), url.replace('example.com', 'Example.COM')];

describe('a duplicate', () => {
  it('is detected on POST, whatever the letter case of its URL', async () => {
    const { event, target_url } = await existing(keys.integration, { target_url: `${newUrl()}/Path?Query=A` });
    for (const url of variants(target_url))
      expect(tally([await create({ event, target_url: url }, keys.integration)])).toEqual({ 422: 1 });
  });

  it('is detected on PUT, whatever the letter case of its URL', async () => {
    const { event, target_url } = await existing(keys.integration, { target_url: `${newUrl()}/Path?Query=A` });
    const { id } = await existing(keys.integration);
    for (const url of variants(target_url))
      expect(tally([await update(id, { event, target_url: url }, keys.integration)])).toEqual({ 422: 1 });
  });

  it('is detected across integrations', async () => {
    const { event, target_url } = await existing(keys.integration);
    expectRefusal(await create({ event, target_url }, keys.otherIntegration), { status: 422, type: 'ValidationError' });
  });

  it('has the same event, and the same URL including slash and query', async () => {
    const { event, target_url } = await existing(keys.integration);
    for (const other of [
      { event: 'post.added', target_url },
      { event, target_url: `${target_url}/` },
      { event, target_url: `${target_url}?` },
    ])
      expect((await create(other, keys.integration)).status).toBe(201);
  });

  it('is refused, and the webhook stays as it was', async () => {
    const taken = await existing(keys.integration);
    const before = await existing(keys.integration, { name: 'Before' });
    await update(before.id, { event: taken.event, target_url: taken.target_url, name: 'After' }, keys.integration);
    const answer = await update(before.id, { id: before.id }, keys.integration);
    expect(answer.body.webhooks[0]).toMatchObject({ target_url: before.target_url, name: 'Before' });
  });

  it('is never the webhook itself: a PUT that changes only letter case is accepted', async () => {
    const { id, target_url, event } = await existing(keys.integration, { target_url: `${newUrl()}/Path` });
    for (const url of [...variants(target_url), target_url]) {
      const answer = await update(id, { target_url: url }, keys.integration);
      expect(answer.status).toBe(200);
      expect(answer.body.webhooks[0].target_url).toBe(url);
      expect((await create({ event, target_url }, keys.integration)).status).toBe(422);
    }
  });

  it('is accepted once the other webhook has changed or was deleted', async () => {
    const first = await existing(keys.integration);
    const { event, target_url } = first;
    await update(first.id, { target_url: newUrl() }, keys.integration);
    const second = await create({ event, target_url }, keys.otherIntegration);
    expect(second.status).toBe(201);
    await remove(second.body.webhooks[0].id, keys.otherIntegration);
    expect((await update(first.id, { target_url }, keys.integration)).status).toBe(200);
  });
});

describe('concurrent requests', () => {
  it('create one webhook with 50 identical POSTs: one gets 201, 49 get 422', async () => {
    const webhook = { event: 'post.published', target_url: newUrl() };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => create(webhook, at % 2 === 0 ? keys.integration : keys.otherIntegration)),
    );
    expect(tally(answers)).toEqual({ 201: 1, 422: 49 });
    for (const answer of answers)
      if (answer.status === 422) expectRefusal(answer, { status: 422, type: 'ValidationError' });
  });

  it('move one of 20 webhooks to the same target: one PUT gets 200, 19 get 422', async () => {
    const target_url = newUrl();
    const webhooks = await Promise.all(Array.from({ length: 20 }, () => existing(keys.integration)));
    const answers = await Promise.all(webhooks.map(({ id }) => update(id, { target_url }, keys.integration)));
    expect(tally(answers)).toEqual({ 200: 1, 422: 19 });
  });

  it('that swap the targets of two webhooks lose neither, and each response is true', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = await Promise.all([existing(keys.integration), existing(keys.integration)]);
      const answers = await Promise.all([
        update(a.id, { target_url: b.target_url }, keys.integration),
        update(b.id, { target_url: a.target_url }, keys.integration),
      ]);
      for (const { status } of answers) expect([200, 422]).toContain(status);
      // Each target is taken until the other webhook moves, so at most one can move first.
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    }
  });

  it('that update one webhook 20 times leave the webhook and its subscription with the same target', async () => {
    const { id } = await existing(keys.integration);
    const urls = Array.from({ length: 20 }, () => newUrl());
    const answers = await Promise.all(urls.map((target_url) => update(id, { target_url }, keys.integration)));
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
    const last = await update(id, { id }, keys.integration);
    expect(urls).toContain(last.body.webhooks[0].target_url);
  });

  it("that update different fields keep each other's changes", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await existing(keys.integration, { name: 'Before', api_version: 'v5.0' });
      const target_url = newUrl();
      const changes = [{ name: 'After' }, { api_version: 'v4.0' }, { event: 'post.added' }, { target_url }];
      const answers = await Promise.all(changes.map((change) => update(id, change, keys.integration)));
      expect(tally(answers)).toEqual({ 200: 4 });
      const last = await update(id, { id }, keys.integration);
      expect(last.body.webhooks[0]).toMatchObject(Object.assign({}, ...changes));
    }
  });

  it('that update and delete a webhook: the DELETE gets 204, the PUT gets 200 or 404', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await existing(keys.integration);
      const [put, gone] = await Promise.all([
        update(id, { target_url: newUrl() }, keys.integration),
        remove(id, keys.integration),
      ]);
      expect([200, 404]).toContain(put.status);
      expect(gone.status).toBe(204);
      expect((await update(id, { name: 'x' }, keys.integration)).status).toBe(404);
    }
  });

  it('that delete a webhook ten times: one gets 204, nine get 404', async () => {
    const { id } = await existing(keys.integration);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id, keys.integration)));
    expect(tally(answers)).toEqual({ 204: 1, 404: 9 });
  });
});

describe("a write that conflicts with another request's transaction", () => {
  it.each([
    ['PUT', 'webhooks/update', (id: string) => update(id, { name: 'After' }, keys.integration)],
    ['POST …/secret/', 'webhooks/rotate-secret', (id: string) => rotate(id, keys.integration)],
  ] as const)('is repeated, and %s returns its usual response', async (_request, name, send) => {
    const { id } = await existing(keys.integration, { secret: 'the first one' });
    stack.faults.set({ faults: [{ fault: 'conflict', function: name, times: 2 }] });
    const { status } = await send(id);
    expect([status, stack.faults.struck()]).toMatchObject([200, [{ times: 2 }]]);
    stack.faults.set({ faults: [] });
  });
});
