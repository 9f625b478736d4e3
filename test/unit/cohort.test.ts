/** A cohort: up to ten webhooks whose first deliveries of an event share one table item; other deliveries have their own items. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Delivery, DeliveryMessage } from '../../shared/deliveries/delivery.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';
import type { Health } from '../../shared/webhooks/health.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import {
  answered,
  deliverySettings,
  iso,
  now,
  receiverInMemory,
  second,
  worldOf,
} from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { deliveryId, messageOf, newDelivery } = await import('../../shared/deliveries/delivery.ts');
const { deliveryKey, deliveryOf } = await import('../../shared/deliveries/records/row.ts');
const { cohortKey, cohortOf, memberOf, ownItem } = await import('../../shared/deliveries/records/cohort.ts');
const store = await import('../../shared/deliveries/records/store.ts');
const { cohortLog } = await import('../../shared/deliveries/records/cohort-store.ts');
const { mergeDeliveries } = await import('../../shared/deliveries/log/merge.ts');
const { mergedLog } = await import('../../shared/deliveries/records/log-page.ts');

stopTime(now);
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { webhook: putWebhook, event: putEvent } = worldOf(aws);
/** The delivery of a message, if it has its own item. */
const stored = ({ webhook_id, delivery_id }: DeliveryMessage): Delivery & { due_at?: string } => {
  const key = deliveryKey(webhook_id, delivery_id);
  const item = aws.read(key);
  return item && deliveryOf({ ...key, ...item });
};
const cohort = '0'.repeat(10);
const works = answered(200);
const fails = answered(500);
const accepted = now - 100;

/** Webhooks of one cohort. */
const given = (count: number): Webhook[] =>
  Array.from({ length: count }, (_, number) =>
    putWebhook({ target_url: `https://hooks.example/${number}` }, number + 1),
  );
const messageFor = (webhook: Webhook, body_hash: string, at = accepted): DeliveryMessage => ({
  delivery_id: deliveryId(at, body_hash, webhook.id),
  webhook_id: webhook.id,
  body_hash,
  event: 'post.published',
  event_id: 'e1',
  created_at: iso(at),
  attempt: 1,
  trigger: 'event',
});
const deliver = async (
  messages: readonly DeliveryMessage[],
  answer: Parameters<typeof receiverInMemory>[0] = () => works,
) => {
  const { requests, sender } = receiverInMemory(answer);
  await Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, 'normal'));
  return requests;
};
/** The id of a webhook in another cohort. */
const elsewhere = `${'d'.repeat(10)}03`;
/** The delivery of a message, after its first attempt. */
const succeeded = (message: DeliveryMessage): Delivery => ({
  ...newDelivery(message, deliverySettings, now),
  api_version: 'v6.0',
  status: 'delivered',
  attempts: 1,
  log: [
    {
      number: 1,
      started_at: iso(Date.parse(message.created_at) + 5),
      duration_ms: 1,
      timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 1 },
      status: '200',
      error: null,
      response: null,
    },
  ],
});
const shared = ({ webhook_id, delivery_id: id, body_hash }: DeliveryMessage) =>
  aws.read(cohortKey({ webhook_id, id, body_hash }));
const find = (webhook: Webhook, { delivery_id }: DeliveryMessage) => store.readDelivery(webhook.id, delivery_id);
/** The prefixes of the keys in the first batch read. */
const readInBatch = () => {
  const [{ RequestItems }] = aws.requests('BatchGetCommand') as [{ RequestItems: object }];
  const [{ Keys }] = Object.values(RequestItems) as [{ Keys: { pk: string }[] }];
  return Keys.map(({ pk }) => pk.split('#')[0]).sort();
};
const itemsWritten = () => aws.requests('BatchWriteCommand').length + aws.requests('PutCommand').length;

describe('the deliveries of an event to ten webhooks of a cohort', () => {
  it('are recorded in one item, small enough for one write unit', async () => {
    const hash = putEvent();
    const webhooks = given(10);
    const messages = webhooks.map((webhook) => messageFor(webhook, hash));
    const requests = await deliver(messages);
    expect(requests).toHaveLength(10);
    expect(aws.requests('UpdateCommand').filter(({ Key }) => Key.pk === `DELIVERIES#${cohort}`)).toHaveLength(1);
    expect(itemsWritten()).toBe(0);
    const [first] = messages as [DeliveryMessage];
    expect(JSON.stringify(shared(first)).length).toBeLessThan(1024 - 120);
    for (const [position, webhook] of webhooks.entries()) {
      const message = messages[position] as DeliveryMessage;
      expect(await find(webhook, message)).toEqual({
        ...newDelivery(message, deliverySettings, now),
        unrecorded: undefined,
        api_version: 'v6.0',
        status: 'delivered',
        attempts: 1,
        last_attempt_at: iso(now),
        last_status: '200',
        log: [expect.objectContaining({ number: 1, started_at: iso(now), status: '200', response: null })],
      });
    }
  });

  it('are read with one key, and posted once even if their messages are repeated', async () => {
    const hash = putEvent();
    const messages = given(3).map((webhook) => messageFor(webhook, hash));
    expect(await deliver(messages)).toHaveLength(3);
    expect(readInBatch()).toEqual(['DELIVERIES', 'EVENT_BODY', 'WEBHOOK', 'WEBHOOK', 'WEBHOOK']);
    expect(await deliver(messages)).toEqual([]);
    expect(await deliver(messages.map((message) => ({ ...message, attempt: 1 as const })))).toEqual([]);
  });

  it('share an item only with deliveries of the same event and the same cohort', async () => {
    const [one, other] = given(2) as [Webhook, Webhook];
    const apartFrom = putWebhook({ target_url: 'https://hooks.example/2' }, elsewhere);
    const hash = putEvent();
    const messages = [messageFor(one, hash), messageFor(other, 'b'.repeat(64)), messageFor(apartFrom, hash)] as const;
    const successes = messages.map((message): Delivery => ({ ...succeeded(message), unrecorded: true }));
    await store.recordSuccesses(successes);
    for (const [position, webhook] of [one, other, apartFrom].entries())
      expect(await find(webhook, messages[position] as DeliveryMessage)).toMatchObject({ status: 'delivered' });
    expect(Object.keys(shared(messages[0]) ?? {})).not.toContain(other.id);
    expect(Object.keys(shared(messages[0]) ?? {})).not.toContain(apartFrom.id);
  });

  it('are found by id even if other deliveries have the same millisecond', async () => {
    const [one, other] = given(2) as [Webhook, Webhook];
    const messages = [
      messageFor(one, 'b'.repeat(64)),
      messageFor(other, 'c'.repeat(64)),
      messageFor(one, 'd'.repeat(64)),
    ];
    for (const message of messages) await store.recordSuccesses([{ ...succeeded(message), unrecorded: true }]);
    for (const [position, webhook] of [one, other, one].entries())
      expect((await find(webhook, messages[position] as DeliveryMessage))?.id).toBe(messages[position]?.delivery_id);
    expect(await find(other, messages[0] as DeliveryMessage)).toBeUndefined();
  });

  it('share an item only if an event triggered them; a redelivery has its own item', () => {
    const [webhook] = given(1) as [Webhook];
    const success = succeeded(messageFor(webhook, putEvent()));
    expect(memberOf(success)).not.toBe(ownItem);
    expect(memberOf({ ...success, trigger: 'redelivery' })).toBe(ownItem);
  });

  it('keep the responses of their receivers; a delivery with a long response has its own item', async () => {
    const hash = putEvent();
    const webhooks = given(3);
    const messages = webhooks.map((webhook) => messageFor(webhook, hash));
    const texts = ['ok  and  more ', 'x'.repeat(256), 'y'.repeat(257)];
    await deliver(messages, ({ url }) => answered(200, { excerpt: texts[Number(url.slice(-1))] ?? '' }));
    for (const [position, text] of texts.entries()) {
      const found = await find(webhooks[position] as Webhook, messages[position] as DeliveryMessage);
      expect(found?.log).toMatchObject([{ response: text }]);
    }
    expect(messages.map((message) => stored(message) !== undefined)).toEqual([false, false, true]);
    expect(await deliver(messages)).toEqual([]);
  });

  it('stay recorded if a concurrent duplicate with a long response fails half-way', async () => {
    const [webhook] = given(1) as [Webhook];
    const message = messageFor(webhook, putEvent());
    aws.fail('BatchWriteCommand');
    const deliverLong = deliver([message], async () => {
      await deliver([message]);
      return answered(200, { excerpt: 'x'.repeat(300) });
    });
    await expect(deliverLong).rejects.toThrow();
    expect(await find(webhook, message)).toMatchObject({ status: 'delivered' });
    expect(await deliver([message])).toEqual([]);
  });

  it.each(['a redelivery', 'a long response', 'a delivery of another cohort'])(
    'fail without affecting the rest of the batch: %s is not posted again',
    async (kind) => {
      const hash = putEvent();
      const [webhook, other] = given(2) as [Webhook, Webhook];
      const far = putWebhook({ target_url: 'https://hooks.example/far' }, elsewhere);
      const beside = kind === 'a redelivery' ? other : far;
      const message = messageFor(webhook, hash);
      const finished: DeliveryMessage =
        kind === 'a redelivery' ? { ...messageFor(other, hash), trigger: 'redelivery' } : messageFor(far, hash);
      const answer = ({ url }: { readonly url: string }) =>
        url === beside.target_url && kind === 'a long response' ? answered(200, { excerpt: 'x'.repeat(300) }) : works;
      // Fails the write of the first cohort.
      aws.fail('UpdateCommand');
      await expect(deliver([message, finished], answer)).rejects.toThrow();
      const requests = await deliver([message, finished], answer);
      expect(requests.map(({ url }) => url)).toEqual([webhook.target_url]);
      expect(await find(beside, finished)).toMatchObject({ status: 'delivered' });
    },
  );

  it('are all recorded when two batches record at the same time', async () => {
    const hash = putEvent();
    const webhooks = given(4);
    const messages = webhooks.map((webhook) => messageFor(webhook, hash));
    await Promise.all([deliver(messages.slice(0, 2)), deliver(messages.slice(2))]);
    for (const [position, webhook] of webhooks.entries())
      expect(await find(webhook, messages[position] as DeliveryMessage)).toMatchObject({ status: 'delivered' });
  });
});

describe('a delivery with its own item', () => {
  it.each([
    ['a long response', answered(200, { excerpt: 'x'.repeat(300) })],
    ['a failure', fails],
  ])("is stored only after a mark in the cohort's item: %s", async (_, answer) => {
    const [webhook] = given(1) as [Webhook];
    const message = messageFor(webhook, putEvent());
    // Fails the write of the mark.
    aws.fail('UpdateCommand');
    await expect(deliver([message], () => answer)).rejects.toThrow();
    expect(stored(message)).toBeUndefined();
    expect(await find(webhook, message)).toBeUndefined();
  });
});

describe('the record of a success', () => {
  const day = 86_400 * second;

  it('is stored longer than any message that can repeat it, even if logs are kept for one day', async () => {
    const [webhook] = given(1) as [Webhook];
    const message = messageFor(webhook, putEvent({ expires_at: now / second + 100 * 86_400 }));
    const { requests, sender } = receiverInMemory(() => works);
    const settings = { ...deliverySettings, keepDays: 1 };
    const post = () => Promise.all(deliverBatch({ sender, settings }, [message], 'normal'));
    await post();
    const deletedAt = Number(shared(message)?.expires_at) * second;
    for (const days of [2, 5, 7, 8, 14, 21]) {
      vi.setSystemTime(accepted + days * day);
      // DynamoDB deletes an expired item at this time at the earliest.
      if (Date.now() > deletedAt)
        aws.erase(cohortKey({ webhook_id: webhook.id, id: message.delivery_id, body_hash: message.body_hash }));
      await post();
    }
    expect(requests).toHaveLength(1);
  });
});

describe('the webhooks of a batch', () => {
  const idOf = (part: string, number: number) => `${'0'.repeat(12)}${part}${number.toString(16).padStart(4, '0')}`;
  const put = (part: string, number: number, changes: Partial<Webhook> = {}): Webhook =>
    putWebhook({ target_url: `https://hooks.example/${part}-${number}`, ...changes }, idOf(part, number));
  const urls = (requests: readonly { url: string }[]) => requests.map(({ url }) => url).sort();

  it('are read in one strongly consistent request', async () => {
    const hash = putEvent();
    const webhooks = ['aaaaaaaa', 'bbbbbbbb'].flatMap((part) => [1, 2, 3].map((number) => put(part, number)));
    const requests = await deliver(webhooks.toReversed().map((webhook) => messageFor(webhook, hash)));
    expect(urls(requests)).toEqual(urls(webhooks.map(({ target_url }) => ({ url: target_url }))));
    expect(aws.requests('QueryCommand')).toEqual([]);
    const [batch, ...more] = aws.requests('BatchGetCommand');
    expect(more).toEqual([]);
    expect(Object.values(batch?.RequestItems ?? {})).toMatchObject([{ ConsistentRead: true }]);
  });

  it('do not include a webhook whose id lies between theirs', async () => {
    const hash = putEvent();
    const [first, , , last] = [1, 2, 3, 4].map((number) =>
      put('aaaaaaaa', number, number === 2 ? { event: 'page.published' } : {}),
    ) as [Webhook, Webhook, Webhook, Webhook];
    expect(urls(await deliver([first, last].map((webhook) => messageFor(webhook, hash))))).toEqual(
      [first, last].map(({ target_url }) => target_url),
    );
  });

  it('may have been deleted: its delivery is cancelled and the others are posted', async () => {
    for (const deleted of [1, 2, 3]) {
      const hash = putEvent();
      const webhooks = [1, 2, 3].map((number) => put('aaaaaaaa', number));
      const gone = webhooks[deleted - 1] as Webhook;
      aws.erase(webhookKey(gone.id));
      const messages = webhooks.map((webhook) => messageFor(webhook, hash));
      expect(await deliver(messages)).toHaveLength(2);
      expect(stored(messages[deleted - 1] as DeliveryMessage)).toMatchObject({ status: 'cancelled' });
    }
  });
});

describe('a batch', () => {
  it('with several cohorts and events posts each delivery once, and a repeated batch writes nothing', async () => {
    const hashes = [putEvent(), putEvent()] as const;
    const [one, other] = [1, elsewhere].map((id, number) =>
      putWebhook({ target_url: `https://hooks.example/${number}` }, id),
    ) as [Webhook, Webhook];
    const messages = hashes.flatMap((hash) => [messageFor(one, hash), messageFor(other, hash)]);
    expect(await deliver(messages)).toHaveLength(4);
    const writes = () => itemsWritten() + aws.requests('UpdateCommand').length;
    const before = writes();
    expect(await deliver(messages)).toEqual([]);
    expect(writes()).toBe(before);
  });
});

describe('a delivery of a cohort whose first attempt fails or waits', () => {
  it('gets its own item, which the sweep can find, and is retried', async () => {
    const hash = putEvent();
    const [one, other] = given(2) as [Webhook, Webhook];
    const messages = [messageFor(one, hash), messageFor(other, hash)] as const;
    await deliver(messages, ({ url }) => (url.endsWith('/0') ? fails : works));
    expect(stored(messages[0])).toMatchObject({ status: 'retrying', attempts: 1 });
    expect(stored(messages[0])).not.toHaveProperty('unrecorded');
    expect(stored(messages[0]).due_at).toBeDefined();
    const [{ body }] = aws.sent() as unknown as [{ body: unknown }];
    expect(body).toMatchObject({ attempt: 2 });
    vi.setSystemTime(now + 6 * second);
    const reads = aws.requests('BatchGetCommand').length;
    expect(await deliver([body as DeliveryMessage])).toHaveLength(1);
    // The mark in the cohort's item needs no second read.
    expect(aws.requests('BatchGetCommand')).toHaveLength(reads + 1);
    expect(await find(one, messages[0])).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(await find(other, messages[1])).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('is not posted again by a duplicate of its first message', async () => {
    const message = messageFor(...(given(1) as [Webhook]), putEvent());
    await deliver([message], () => fails);
    expect(await deliver([message])).toEqual([]);
  });

  it('is posted again if its function stopped after the mark and before the item was written', async () => {
    const [webhook] = given(1) as [Webhook];
    const message = messageFor(webhook, putEvent());
    aws.fail('PutCommand');
    await expect(deliver([message], () => fails)).rejects.toThrow();
    expect(shared(message)).toMatchObject({ [webhook.id]: ownItem });
    expect(await find(webhook, message)).toBeUndefined();
    expect(await deliver([message])).toHaveLength(1);
    expect(await find(webhook, message)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('is recorded although the answer to writing the mark is lost', async () => {
    const message = messageFor(...(given(1) as [Webhook]), putEvent());
    aws.loseAnswerOf('UpdateCommand');
    await deliver([message], () => fails);
    expect(stored(message)).toMatchObject({ status: 'retrying' });
  });

  it('changes nothing if a concurrent duplicate has already recorded a success', async () => {
    const [webhook] = given(1) as [Webhook];
    const message = messageFor(webhook, putEvent());
    await deliver([message], async () => {
      await deliver([message]);
      return fails;
    });
    expect(await find(webhook, message)).toMatchObject({ status: 'delivered' });
    expect(stored(message)).toBeUndefined();
    expect(aws.sent()).toEqual([]);
  });

  it('becomes delivered if a concurrent duplicate records a success afterwards', async () => {
    const [webhook] = given(1) as [Webhook];
    const message = messageFor(webhook, putEvent());
    await deliver([message], async () => {
      await deliver([message], () => fails);
      return works;
    });
    // Two functions received the message at the same time.
    expect(stored(message)).toMatchObject({ status: 'retrying' });
    expect(await find(webhook, message)).toMatchObject({ status: 'delivered' });
    const { deliveries } = await mergeDeliveries(store.logsOf([webhook.id]), {}, 10, undefined);
    expect(deliveries).toMatchObject([{ id: message.delivery_id, status: 'delivered' }]);
    // The queue or the sweep sends this for the second attempt.
    const retry = messageOf({ ...(stored(message) as Delivery), webhook_id: webhook.id, id: message.delivery_id });
    vi.setSystemTime(now + 6 * second);
    expect(await deliver([retry])).toEqual([]);
    expect(stored(message)).toMatchObject({ status: 'delivered' });
    expect(aws.read(deliveryKey(webhook.id, message.delivery_id))).not.toHaveProperty('due');
  });

  it('becomes delivered if a concurrent duplicate succeeds while it waits for its first attempt', async () => {
    const [webhook] = given(1) as [Webhook];
    const message = messageFor(webhook, putEvent());
    await deliver([message], async () => {
      putWebhook({ ...webhook, health: { openings: 1, open_until: now + 5 * second } as Health }, 1);
      await deliver([message]);
      return works;
    });
    // Two functions received the message at the same time.
    expect(stored(message)).toMatchObject({ status: 'pending' });
    expect(await find(webhook, message)).toMatchObject({ status: 'delivered' });
    // The queue or the sweep sends this after the wait.
    const next = messageOf({ ...(stored(message) as Delivery), webhook_id: webhook.id, id: message.delivery_id });
    vi.setSystemTime(now + 30 * second);
    expect(await deliver([next, { ...next, attempt: 2 }])).toEqual([]);
    expect(stored(message)).toMatchObject({ status: 'delivered' });
    expect(aws.read(deliveryKey(webhook.id, message.delivery_id))).not.toHaveProperty('due');
  });

  it('gets its own item while it waits, and is later recorded there as delivered', async () => {
    const [webhook] = given(1) as [Webhook];
    putWebhook({ ...webhook, health: { openings: 1, open_until: now + 5 * second } as Health }, 1);
    const message = messageFor(webhook, putEvent());
    expect(await deliver([message])).toEqual([]);
    expect(stored(message)).toMatchObject({ status: 'pending' });
    const [{ body }] = aws.sent() as unknown as [{ body: unknown }];
    vi.setSystemTime(now + 30 * second);
    expect(await deliver([body as DeliveryMessage])).toHaveLength(1);
    expect(stored(message)).toMatchObject({ status: 'delivered' });
    expect(shared(message)).toMatchObject({ [webhook.id]: ownItem });
  });
});

describe('the log of a webhook in a cohort', () => {
  const isDescending = (ids: readonly DeliveryId[]) =>
    ids.every((id, at) => at === 0 || id < (ids[at - 1] as DeliveryId));

  /** Deliveries at these ms for two webhooks of the cohort: in the cohort's item, in their own items, and some only for the other webhook. */
  const record = async (times: readonly number[]) => {
    const [one, other] = given(2) as [Webhook, Webhook];
    const expected: DeliveryId[] = [];
    for (const [position, ms] of times.entries()) {
      const hash = position.toString(16).padStart(64, '5');
      const made = (webhook: Webhook) => succeeded(messageFor(webhook, hash, now + ms));
      const kind = position % 3;
      if (kind !== 1) expected.push(made(one).id);
      await store.recordSuccesses([
        ...(kind === 1 ? [] : [kind === 2 ? { ...made(one), unrecorded: undefined } : made(one)]),
        made(other),
      ]);
    }
    return { one, expected: expected.sort().reverse() };
  };

  const timeOf = (id: DeliveryId) => Number.parseInt(id.slice(0, 12), 16);

  /** Reads page after page to the end. */
  const idsOf = async (
    page: (
      after: DeliveryId | undefined,
    ) => Promise<{ deliveries: readonly Delivery[]; next?: DeliveryId | null | undefined }>,
  ) => {
    const found: DeliveryId[] = [];
    let after: DeliveryId | undefined;
    do {
      const { deliveries, next } = await page(after);
      found.push(...deliveries.map(({ id }) => id));
      after = next ?? undefined;
    } while (after !== undefined);
    return found;
  };

  it('has every delivery once, newest first, for any page size and any number per millisecond', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom({}, { since: now + 2 }, { until: now + 7 }, { since: now + 2, until: now + 7 }),
        async (times, limit, range: { readonly since?: number; readonly until?: number }) => {
          aws.clear();
          const { one, expected } = await record(times);
          const found = await idsOf((after) => mergeDeliveries(store.logsOf([one.id]), range, limit, after));
          expect(isDescending(found)).toBe(true);
          const { since = now, until = now + 9 } = range;
          expect(found).toEqual(expected.filter((id) => timeOf(id) >= since && timeOf(id) < until));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('continues after any delivery, even within the same millisecond', async () => {
    await record([0, 0, 0]);
    const read = cohortLog(cohortOf('0'.repeat(24) as WebhookId), () => true);
    const idsIn = async (newestFirst: boolean, after?: DeliveryId) =>
      (await read({ since: now, until: now + 1, limit: 10, newestFirst, after })).deliveries.map(({ id }) => id).sort();
    const all = await idsIn(false);
    expect(all).toHaveLength(4);
    expect(await idsIn(false, all[1])).toEqual(all.slice(2));
    expect(await idsIn(true, all[1])).toEqual(all.slice(0, 1));
  });

  it("is read oldest first by a replay, and only within the replay's range", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (times, limit) => {
          aws.clear();
          const { one, expected } = await record(times);
          const read = mergedLog(store.logsOf([one.id]));
          const found = await idsOf(async (after) => {
            const page = await read({ since: now + 2, until: now + 7, newestFirst: false, limit, after });
            expect(page.deliveries.length).toBeLessThanOrEqual(limit);
            return page;
          });
          const isInRange = (id: DeliveryId) => timeOf(id) >= now + 2 && timeOf(id) < now + 7;
          expect(found).toEqual(expected.toReversed().filter(isInRange));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stops at the start of its range, even if only other webhooks have deliveries there', async () => {
    const [one, other] = given(2) as [Webhook, Webhook];
    const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
    const made = hashes.map((hash) => succeeded(messageFor(other, hash, now + 2)));
    for (const success of [...made, succeeded(messageFor(one, 'd'.repeat(64), now + 1))])
      await store.recordSuccesses([{ ...success, unrecorded: true }]);
    expect(await store.newestDeliveries(one.id, 1, { since: now + 2, until: undefined })).toEqual([]);
    expect(await store.newestDeliveries(one.id, 1)).toMatchObject([{ webhook_id: one.id }]);
  });

  it('never shows deliveries of other webhooks in the cohort', async () => {
    const hash = putEvent();
    const [one, other] = given(2) as [Webhook, Webhook];
    await deliver([messageFor(one, hash), messageFor(other, hash)]);
    const list = async (...webhooks: Webhook[]) =>
      (await mergeDeliveries(store.logsOf(webhooks.map(({ id }) => id)), {}, 10, undefined)).deliveries.map(
        ({ webhook_id }) => webhook_id,
      );
    expect(await list(one)).toEqual([one.id]);
    expect((await list(one, other)).sort()).toEqual([one.id, other.id].sort());
    expect(await list({ ...one, id: 'f'.repeat(24) as WebhookId })).toEqual([]);
  });
});
