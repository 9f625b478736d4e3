/**
 * Stores the options of webhooks in partitions of their own, which are read only for webhooks that have some. Each write gives the options and
 * the webhook's record a new revision, so that nobody uses the record of one with the options of another.
 */
import { randomBytes } from 'node:crypto';
import type { WebhookId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { exists } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import { noOptions, type Options } from './options-resource.ts';
import { webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

export const optionsKey = (id: WebhookId): Key => ({ pk: `OPTIONS#${id}`, sk: 'OPTIONS' });

export const newRevision = (): string => randomBytes(6).toString('hex');

/** What is stored. The options are one text, because they are always read and written together. */
interface StoredOptions {
  readonly webhook_id: WebhookId;
  readonly revision: string;
  /** JSON. */
  readonly options: string;
}

/** Returns the write of the options that go with a webhook: with its revision, or of none if it has no revision. */
export const writeOptions = ({ id, options_revision: revision }: Webhook, options: Options): Write =>
  revision === undefined
    ? { kind: 'delete', key: optionsKey(id) }
    : {
        kind: 'put',
        item: {
          ...optionsKey(id),
          ...({ webhook_id: id, revision, options: JSON.stringify(options) } satisfies StoredOptions),
        },
      };

/** Reads the options of a webhook; undefined if they have changed since it was read. */
export const readOptions = async (webhook: Webhook): Promise<Options | undefined> =>
  webhook.options_revision === undefined ? noOptions : (await readMatching([webhook])).get(webhook.id);

const readMatching = async (webhooks: readonly Webhook[]): Promise<Map<WebhookId, Options>> => {
  const revisions = new Map(webhooks.map(({ id, options_revision }) => [id, options_revision]));
  const items = await getMany<StoredOptions>(webhooks.map(({ id }) => optionsKey(id)));
  return new Map(
    items.flatMap(({ webhook_id, revision, options }) =>
      revisions.get(webhook_id) === revision ? [[webhook_id, JSON.parse(options) as Options]] : [],
    ),
  );
};

/** Counts events that the filters of these webhooks have left out, one for each mention, until their options change. */
export const countLeftOut = async (webhooks: readonly WebhookId[]): Promise<void> => {
  await Promise.all(
    [...Map.groupBy(webhooks, (id) => id)].map(([id, { length }]) =>
      tryWrite(update(optionsKey(id), { add: { left_out: length } }, exists())),
    ),
  );
};

/** Returns how many events the filter of a webhook has left out since its options changed; a retry may be counted twice. */
export const readLeftOut = async (id: WebhookId): Promise<number> =>
  (await getMany<{ left_out?: number }>([optionsKey(id)]))[0]?.left_out ?? 0;

/** How often a batch reads options that change at the same time. */
const maxTries = 5;

/**
 * Reads the options of the webhooks that have some. Where they have changed since the webhook was read, its record is read and replaced again.
 * @throws Error after some changes in a row; the messages of the batch are received again
 */
export const loadOptions = async (
  webhooks: Map<WebhookId, Webhook>,
  wanted: ReadonlySet<WebhookId>,
): Promise<ReadonlyMap<WebhookId, Options>> => {
  const found = new Map<WebhookId, Options>();
  const isOpen = (webhook: Webhook): boolean => webhook.options_revision !== undefined && !found.has(webhook.id);
  const openOf = () => [...wanted].flatMap((id) => webhooks.get(id) ?? []).filter(isOpen);
  let open = openOf();
  for (let tries = 0; open.length > 0; tries++) {
    if (tries === maxTries) throw new Error('The options of a webhook changed with every read.');
    if (tries > 0) {
      const again = new Map((await getMany<Webhook>(open.map(({ id }) => webhookKey(id)))).map((one) => [one.id, one]));
      for (const { id } of open) {
        const webhook = again.get(id);
        if (webhook === undefined) webhooks.delete(id);
        else webhooks.set(id, webhook);
      }
      open = openOf();
    }
    for (const [id, options] of await readMatching(open)) found.set(id, options);
    open = openOf();
  }
  return found;
};
