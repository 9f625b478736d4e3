/** Webhooks' options in the table: only webhooks with options need a read, and no batch mixes old and new ones. */
import { describe, expect, it } from 'vitest';
import type { IntegrationId, WebhookId } from '../../shared/foundation/ids.ts';
import { noOptions } from '../../shared/webhooks/options-resource.ts';
import { optionsKey } from '../../shared/webhooks/options-store.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { failingWebhook } from '../support/notice.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { countFiltered, loadOptions, readFiltered } = await import('../../shared/webhooks/options-store.ts');

const webhook = (number: number, options_revision?: string): Webhook => ({
  ...failingWebhook({ integration_id: 'a'.repeat(24) as IntegrationId }),
  id: String(number).padStart(24, '0') as WebhookId,
  ...(options_revision !== undefined && { options_revision }),
});
const stored = (one: Webhook, revision: string, description: string) =>
  aws.put(optionsKey(one.id), {
    webhook_id: one.id,
    revision,
    options: JSON.stringify({ ...noOptions, description }),
  });
const loaded = async (...webhooks: Webhook[]) => {
  const records = new Map(webhooks.map((one) => [one.id, one]));
  return { records, options: await loadOptions(records, new Set(records.keys())) };
};

describe('the options of a batch', () => {
  it("match the webhook's record: an outdated record is read again", async () => {
    const before = webhook(1, 'r1');
    const after = { ...before, api_version: 'v5.0', options_revision: 'r2' };
    stored(before, 'r2', 'New');
    aws.put(webhookKey(before.id), after);
    const { records, options } = await loaded(before);
    expect(options.get(before.id)).toMatchObject({ description: 'New' });
    expect(records.get(before.id)).toMatchObject({ api_version: 'v5.0', options_revision: 'r2' });
  });

  it('are empty if they were removed or the webhook was deleted in the meantime', async () => {
    const [removed, deleted] = [webhook(1, 'r1'), webhook(2, 'r1')];
    aws.put(webhookKey(removed.id), webhook(1));
    const { records, options } = await loaded(removed, deleted);
    expect([...options]).toEqual([]);
    expect([...records.keys()]).toEqual([removed.id]);
  });

  it('cause an error if they change with every read', async () => {
    const one = webhook(1, 'r0');
    let revision = 0;
    aws.before('BatchGetCommand', () => {
      revision++;
      stored(one, `r${revision}`, 'Changing');
      aws.put(webhookKey(one.id), { ...one, options_revision: `r${revision - 1}` });
    });
    await expect(loaded(one)).rejects.toThrow('kept changing while they were read');
  });
});

describe('events that a filter has excluded', () => {
  const filtered = ({ id }: Webhook, ...hashes: string[]) => hashes.map((body_hash) => ({ webhook_id: id, body_hash }));

  it('are counted in one write per webhook, and create no item for a webhook without options', async () => {
    const [one, without] = [webhook(1, 'r1'), webhook(2)];
    stored(one, 'r1', 'One');
    await countFiltered([...filtered(one, 'a'), ...filtered(without, 'a'), ...filtered(one, 'b')]);
    expect(await readFiltered(one.id)).toEqual({ count: 2, newest: ['a', 'b'] });
    expect(aws.requests('UpdateCommand')).toHaveLength(2);
    expect(aws.read(optionsKey(without.id))).toBeUndefined();
  });

  it('are kept for trials: at least the newest 20, at most 39', async () => {
    const one = webhook(1, 'r1');
    stored(one, 'r1', 'One');
    for (let number = 0; number < 100; number++) await countFiltered(filtered(one, `hash-${number}`));
    const { count, newest } = await readFiltered(one.id);
    expect(count).toBe(100);
    expect(newest.slice(-20)).toEqual(Array.from({ length: 20 }, (_, number) => `hash-${80 + number}`));
    expect(newest.length).toBeLessThan(40);
  });

  it('are not counted if the options change while the count is written', async () => {
    const one = webhook(1, 'r1');
    stored(one, 'r1', 'One');
    for (let number = 0; number < 39; number++) await countFiltered(filtered(one, `hash-${number}`));
    let updates = 0;
    aws.before('UpdateCommand', () => {
      updates++;
      if (updates === 2) stored(one, 'r2', 'Changed');
    });
    await countFiltered(filtered(one, 'hash-39'));
    expect(updates).toBe(2);
    expect(await readFiltered(one.id)).toEqual({ count: 0, newest: [] });
  });
});
