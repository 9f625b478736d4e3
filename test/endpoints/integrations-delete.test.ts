/** Deleting an integration also deletes its keys and webhooks, despite interruptions and concurrent writes. */

import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { operator } from '../../shared/audit/entry.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import type { ApiKeyId, IntegrationId } from '../../shared/foundation/ids.ts';
import { freshStack } from '../support/parts.ts';
import { beforeEachCall } from '../support/parts-proxy.ts';

type Run = () => Promise<unknown>;

/** Runs each step of a deletion on the table. A test lets one of them fail, before or after its effect. */
const steps = vi.hoisted(() => {
  const inner = {
    run: (_name: string, step: Run): Promise<unknown> => step(),
    of: <Module extends object>(module: Module, names: readonly (keyof Module)[]): Module => {
      const wrapped = names.map((name) => {
        const step = module[name] as (...args: unknown[]) => Promise<unknown>;
        return [name, (...args: unknown[]) => inner.run(String(name), () => step(...args))];
      });
      return { ...module, ...Object.fromEntries(wrapped) };
    },
  };
  return inner;
});
const untouched = steps.run;
vi.mock(import('../../shared/integrations/store.ts'), async (load) =>
  steps.of(await load(), [
    'readIntegrationEvenDeleted',
    'listKeysOf',
    'removeKeys',
    'beginDeletion',
    'listWebhookIdsOf',
    'endDeletion',
  ]),
);
vi.mock(import('../../shared/webhooks/remove-many.ts'), async (load) => steps.of(await load(), ['removeWebhooks']));

const stack = await freshStack();
const keys = await stack.seed();
// Imported here, because the table's client reads the environment of the fresh stack.
const { deleteIntegration, continueDeletion } = await import('../../shared/integrations/delete.ts');
const { beginDeletion, endDeletion, readIntegrationEvenDeleted } = await import('../../shared/integrations/store.ts');
const { audited } = await import('../../shared/audit/store.ts');
const { webhookCap } = await import('../../shared/webhooks/store.ts');
const { countAgain } = await import('../../shared/limits/cap.ts');
const { get, remove: removeItem } = await import('../../shared/table/item.ts');

afterEach(() => {
  vi.useRealTimers();
  steps.run = untouched;
});

const caller: Caller = {
  kind: 'integration',
  keyId: '1'.repeat(24) as ApiKeyId,
  integrationId: '2'.repeat(24) as IntegrationId,
};
const entry = () =>
  audited(operator, 'integration.deleted', { type: 'integration', id: caller.integrationId, name: 'Shop' });

const begin = (id: IntegrationId) => beginDeletion(id, [], new Date().toISOString(), Date.now(), [entry()]);

interface Shop {
  readonly id: IntegrationId;
  readonly key: string;
}

const addShop = async (webhooks = 0): Promise<Shop> => {
  const answer = await stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name: 'Shop' }] },
  });
  const [{ id, api_keys }] = answer.body.integrations;
  for (let start = 0; start < webhooks; start += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, webhooks - start) }, (_, number) => subscribe(id, String(start + number))),
    );
  return { id, key: api_keys[0].secret };
};

const subscribe = (integration: string, path: string) =>
  stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: keys.owner,
    body: {
      webhooks: [
        {
          event: 'post.published',
          target_url: `http://127.0.0.1/${integration}/${path}`,
          integration_id: integration,
          // The first and the last of a long deletion have options, which are deleted with them.
          ...(/^(0|249|449)$/.test(path) && { options: { description: 'For the desk' } }),
        },
      ],
    },
  });

const remove = (id: string, key = keys.owner) =>
  stack.call('integrations/delete', { path: `/admin/integrations/${id}/`, key });

const codeWith = async (key: string): Promise<string | null | undefined> =>
  (await stack.call('roles/list', { path: '/admin/roles/', key })).body.errors?.[0].code;

/** Returns the keys of all items of an integration, such as record, pointers, webhooks, keys; not the audit log's. */
const traces = async ({ id, key }: Shop): Promise<string[]> => {
  const { Items = [] } = await stack.dynamodb.send(
    new ScanCommand({ TableName: stack.tableName, ConsistentRead: true }),
  );
  return Items.map((item) => ({ key: `${item.pk?.S} ${item.sk?.S}`, text: JSON.stringify(item) }))
    .filter((item) => !item.key.startsWith('AUDIT#'))
    .filter(({ text }) => text.includes(id) || text.includes(`KEY#${key.split(':')[0]}`))
    .map((item) => item.key)
    .sort();
};

const guardsAndSubscribers = async (): Promise<number> => {
  const { Count = 0 } = await stack.dynamodb.send(
    new QueryCommand({
      TableName: stack.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'EVENT#post.published' } },
      ConsistentRead: true,
    }),
  );
  return Count;
};

describe('DELETE /admin/integrations/{id}/', () => {
  it('deletes the integration, its keys, webhooks and subscriptions', async () => {
    const [shop, other] = [await addShop(60), await addShop(1)];
    const answer = await remove(shop.id);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(await codeWith(shop.key)).toBe('UNKNOWN_ADMIN_API_KEY');
    expect(await traces(shop)).toEqual([]);
    expect(await guardsAndSubscribers()).toBe(2);
    expect(await codeWith(other.key)).toBeUndefined();
    await remove(other.id);
  });

  it('makes every later request for the integration return 404', async () => {
    const { id } = await addShop();
    await remove(id);
    const path = `/admin/integrations/${id}/`;
    expect((await remove(id)).status).toBe(404);
    expect((await stack.call('integrations/read', { path, key: keys.owner })).status).toBe(404);
    const body = { integrations: [{ name: 'x' }] };
    expect((await stack.call('integrations/update', { path, key: keys.owner, body })).status).toBe(404);
    expect((await subscribe(id, 'late')).body.errors[0]).toMatchObject({
      type: 'ValidationError',
      property: 'integration_id',
    });
  });

  it('can be called twice at the same time', async () => {
    const shop = await addShop(5);
    const answers = await Promise.all([remove(shop.id), remove(shop.id), remove(shop.id)]);
    for (const { status } of answers) expect([204, 404]).toContain(status);
    expect(await traces(shop)).toEqual([]);
  });

  it('also deletes webhooks and keys that are created or changed while it runs', async () => {
    const shop = await addShop(30);
    const { body } = await stack.call('integrations/read', {
      path: `/admin/integrations/${shop.id}/?include=webhooks`,
      key: keys.owner,
    });
    const webhooks: { id: string }[] = body.integrations[0].webhooks;
    const meanwhile = [
      ...Array.from({ length: 20 }, (_, number) => subscribe(shop.id, `late-${number}`)),
      ...webhooks.slice(0, 10).map(({ id }) =>
        stack.call('webhooks/update', {
          path: `/admin/webhooks/${id}/`,
          key: keys.owner,
          body: { webhooks: [{ target_url: `http://127.0.0.1/${shop.id}/moved/${id}` }] },
        }),
      ),
      ...webhooks
        .slice(10, 20)
        .map(({ id }) => stack.call('webhooks/delete', { path: `/admin/webhooks/${id}/`, key: keys.owner })),
      stack.call('integrations/refresh-key', {
        path: `/admin/integrations/${shop.id}/api_key/${shop.key.split(':')[0]}/refresh/`,
        key: keys.owner,
      }),
    ];
    const answer = await remove(shop.id);
    const statuses = (await Promise.all(meanwhile)).map(({ status }) => status);
    expect(answer.status).toBe(204);
    for (const status of statuses) expect([200, 201, 204, 404, 422]).toContain(status);
    expect(await traces(shop)).toEqual([]);
    expect(await guardsAndSubscribers()).toBe(0);
  });
});

describe('the webhook counter of an integration', () => {
  const counterOf = (id: IntegrationId) => ({ pk: `INTEGRATION#${id}`, sk: 'WEBHOOK_COUNT' });

  it('is deleted when the deletion begins, so that no webhook can be created afterwards', async () => {
    const shop = await addShop(3);
    expect(await begin(shop.id)).toBeUndefined();
    expect(await get(counterOf(shop.id))).toBeUndefined();
    const late = (await subscribe(shop.id, '0')).body.errors[0];
    expect(late).toMatchObject({ type: 'ValidationError', message: `No integration has the id \`${shop.id}\`.` });
    await remove(shop.id);
    expect(await traces(shop)).toEqual([]);
  });

  it('is not written again by a recount that overlaps the beginning of the deletion', async () => {
    const shop = await addShop();
    const count = async () => {
      await begin(shop.id);
      return 0;
    };
    expect(await countAgain({ ...webhookCap(shop.id), count }, undefined)).toBe(true);
    expect(await get(counterOf(shop.id))).toBeUndefined();
    await remove(shop.id);
  });

  it('is counted again if it is missing', async () => {
    const shop = await addShop(2);
    await removeItem(counterOf(shop.id));
    expect((await subscribe(shop.id, 'next')).status).toBe(201);
    expect(await get(counterOf(shop.id))).toMatchObject({ count: 3 });
    await remove(shop.id);
  });
});

describe('a deletion that was interrupted', () => {
  const crash = new Error('the function was killed');

  /** Lets the n-th step fail: before or after its effect. */
  const failAt = (number: number, when: 'before' | 'after') => {
    let calls = 0;
    steps.run = async (_name, step) => {
      const isThis = ++calls === number;
      if (isThis && when === 'before') throw crash;
      const result = await step();
      if (isThis) throw crash;
      return result;
    };
  };

  const begun = async (shop: Shop): Promise<boolean> =>
    (await readIntegrationEvenDeleted(shop.id))?.deleting_since !== undefined;

  it('is completed by the next run, wherever it stopped, and the keys are invalid from the start', async () => {
    const seen = { begun: 0, notBegun: 0 };
    for (const when of ['before', 'after'] as const) {
      let ended = false;
      for (let call = 1; !ended; call++) {
        const shop = await addShop(3);
        failAt(call, when);
        ended = await deleteIntegration(shop.id, caller, Number.POSITIVE_INFINITY).then(
          () => true,
          (error) => {
            expect(error).toBe(crash);
            return false;
          },
        );
        steps.run = untouched;
        if (await begun(shop)) {
          seen.begun++;
          expect(await codeWith(shop.key)).toBe('UNKNOWN_ADMIN_API_KEY');
          expect((await subscribe(shop.id, 'late')).status).toBe(422);
          expect(await continueDeletion(shop.id, Number.POSITIVE_INFINITY)).toBe('gone');
        } else if ((await readIntegrationEvenDeleted(shop.id)) !== undefined) {
          seen.notBegun++;
          expect((await remove(shop.id)).status).toBe(204);
        }
        expect(await traces(shop)).toEqual([]);
      }
    }
    expect(seen.begun).toBeGreaterThan(10);
    expect(seen.notBegun).toBeGreaterThan(2);
  });

  it('removes a key that was created meanwhile before it removes webhooks, so that the key ends soon', async () => {
    const shop = await addShop(1);
    await begin(shop.id);
    const removed: string[] = [];
    steps.run = (name, step) => {
      if (name.startsWith('remove')) removed.push(name);
      return step();
    };
    expect(await continueDeletion(shop.id, Number.POSITIVE_INFINITY)).toBe('gone');
    expect(removed).toEqual(['removeKeys', 'removeWebhooks']);
  });

  it('is completed by a second DELETE, which returns 204', async () => {
    const shop = await addShop(3);
    expect(await deleteIntegration(shop.id, caller, 0)).toBe('going');
    expect(await begun(shop)).toBe(true);
    expect((await remove(shop.id)).status).toBe(204);
    expect(await traces(shop)).toEqual([]);
  });

  it('is completed by the sweep, and the integration is not listed meanwhile', async () => {
    const shop = await addShop(30);
    await deleteIntegration(shop.id, caller, 0);
    const list = await stack.call('integrations/list', { path: '/admin/integrations/', key: keys.owner });
    expect(list.text).not.toContain(shop.id);
    await stack.invoke('due/sweep', {});
    expect(await begun(shop)).toBe(true);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    await stack.invoke('due/sweep', {});
    await stack.drain('deletions');
    expect(await traces(shop)).toEqual([]);
    expect(await guardsAndSubscribers()).toBe(0);
  });

  it('is put into the deletions queue by the sweep, and the worker stops well before its timeout', async () => {
    const shop = await addShop(450);
    expect(await guardsAndSubscribers()).toBe(900);
    await deleteIntegration(shop.id, caller, 0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    await stack.invoke('due/sweep', {});
    expect(await begun(shop)).toBe(true);
    let messages = await stack.take('deletions');
    expect(messages).toHaveLength(1);
    // Simulates calls of two seconds each.
    const end = beforeEachCall(() => vi.setSystemTime(Date.now() + 2000));
    // Stop moving the clock even after a failure, because other files run in this process.
    onTestFinished(end);
    let runs = 0;
    for (; messages.length > 0; runs++) {
      const began = Date.now();
      expect(await stack.work('deletions', [messages[0]?.body])).toEqual([]);
      expect(Date.now() - began).toBeLessThan(55_000);
      messages = await stack.take('deletions');
    }
    end();
    expect(runs).toBeGreaterThan(1);
    expect(await traces(shop)).toEqual([]);
    expect(await guardsAndSubscribers()).toBe(0);
  });

  it('is put into the deletions queue by the request if it takes longer than eight seconds', async () => {
    const shop = await addShop(250);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const end = beforeEachCall(() => vi.setSystemTime(Date.now() + 1000));
    onTestFinished(end);
    const answer = await remove(shop.id);
    end();
    expect(answer.status).toBe(204);
    expect(await begun(shop)).toBe(true);
    expect((await stack.messages('deletions')).map(({ body }) => body)).toEqual([{ integration_id: shop.id }]);
    await stack.drain('deletions');
    expect(await traces(shop)).toEqual([]);
  });

  it('also invalidates a key that was created at its start, when the sweep resumes it', async () => {
    const shop = await addShop();
    steps.run = async (name, step) => {
      if (name === 'listWebhookIdsOf') throw crash;
      return name === 'listKeysOf' ? [] : step();
    };
    await expect(deleteIntegration(shop.id, caller, 0)).rejects.toBe(crash);
    steps.run = untouched;
    expect(await begun(shop)).toBe(true);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    await stack.invoke('due/sweep', {});
    await stack.drain('deletions');
    vi.useRealTimers();
    expect(await codeWith(shop.key)).toBe('UNKNOWN_ADMIN_API_KEY');
    expect(await traces(shop)).toEqual([]);
  });

  it('is not resumed for an existing integration, so that a late sweep does no harm', async () => {
    const shop = await addShop(2);
    const before = await traces(shop);
    expect(await continueDeletion(shop.id, Number.POSITIVE_INFINITY)).toBe('gone');
    await endDeletion(shop.id, '2026-01-01T00:00:00.000Z');
    expect(await traces(shop)).toEqual(before);
    expect(await codeWith(shop.key)).toBeUndefined();
  });
});
