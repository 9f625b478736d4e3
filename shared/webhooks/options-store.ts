/** Stores options apart, read only for webhooks that have some. A new revision in both shows what belongs together. */
import type { WebhookId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { exists, is } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import { noOptions, type Options } from './options-resource.ts';
import { webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

export const optionsKey = (id: WebhookId): Key => ({ pk: `OPTIONS#${id}`, sk: 'OPTIONS' });

/** What is stored. The options are one text, because they are always read and written together. */
interface StoredOptions {
  readonly webhook_id: WebhookId;
  readonly revision: string;
  /** JSON. */
  readonly options: string;
}

/** Returns the write of a webhook's options: with the webhook's revision, or a deletion if it has no revision. */
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

export interface FilteredEvent {
  readonly webhook_id: WebhookId;
  readonly body_hash: string;
}

/** The counter and the newest events, in the item of the options until they change. */
interface StoredFilteredEvents {
  readonly left_out?: number;
  /** The hashes of their bodies, oldest first; one may occur twice. */
  readonly newest_left_out?: readonly string[];
}

/** How many events remain when the list is shortened, which happens at twice this length. */
const keptFilteredEvents = 20;

/** Counts events that filters have left out. Repeated messages count twice: exact counts need a read per event. */
export const countFiltered = async (filtered: readonly FilteredEvent[]): Promise<void> => {
  await Promise.all(
    [...Map.groupBy(filtered, ({ webhook_id }) => webhook_id)].map(async ([id, events]) => {
      const key = optionsKey(id);
      const newest = events.map(({ body_hash }) => body_hash);
      const change = { add: { left_out: events.length }, append: { newest_left_out: newest } };
      const { value } = await tryWrite(update<StoredFilteredEvents & StoredOptions>(key, change, exists()));
      const { newest_left_out: list = [], revision } = value ?? {};
      if (revision === undefined || list.length < 2 * keptFilteredEvents) return;
      // Events that another batch has added in the meantime are lost from the list, but still counted.
      await tryWrite(
        update(key, { set: { newest_left_out: list.slice(-keptFilteredEvents) } }, is('revision', revision)),
      );
    }),
  );
};

/** Returns about how many events the filter has left out since the options changed, and the newest ones' hashes. */
export const readFiltered = async (id: WebhookId): Promise<{ count: number; newest: readonly string[] }> => {
  const [item] = await getMany<StoredFilteredEvents>([optionsKey(id)]);
  return { count: item?.left_out ?? 0, newest: item?.newest_left_out ?? [] };
};

/** How often a batch reads options that change at the same time. */
const maxTries = 5;

/**
 * Reads the options of the webhooks that have some. Where these have changed since, the webhook is read and replaced.
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
    if (tries === maxTries) throw new Error('The options of a webhook kept changing while they were read.');
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
