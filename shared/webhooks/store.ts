/** Stores webhooks in the table: record, guard, subscriber and pointer, always changed together. */
import { checkInUse } from '../accounts/integration-guard.ts';
import { knownEvents } from '../events/catalogue.ts';
import { second } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { writableFields } from '../foundation/resource.ts';
import { addOne, type Cap, countAgain, takePlace } from '../limits/cap.ts';
import { allOf, type Change, type Condition, is, isStill, missing } from '../table/condition.ts';
import { type ConditionFailed, tryWrite } from '../table/conditional.ts';
import { get } from '../table/item.ts';
import { tryOnce, updateOnceWith } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import { countItems } from '../table/query.ts';
import { transact, type Write } from '../table/transaction.ts';
import { declinedMark, isDeclined, marksBetween, pointerMarkBetween, replaces } from './declined.ts';
import type { Options } from './options-resource.ts';
import { optionsKey, readOptions } from './options-store.ts';
import {
  allWebhooksCountKey,
  guardKey,
  pointerKey,
  subscriberKey,
  subscriberPrefix,
  subscribersOf,
  webhookCountKey,
  webhookKey,
} from './table-keys.ts';
import { healthAttributes, type Webhook, type WebhookPointer, webhookResource } from './webhook.ts';

/** The webhook that already has the event and target URL; undefined if unknown. */
export interface Duplicate {
  readonly duplicateOf: WebhookId | undefined;
}

/** The integration, or the stage, already has as many webhooks as the cap allows. */
export interface Full {
  readonly cap: number;
  /** The setting of the cap. */
  readonly setting: 'caps.webhooks' | 'caps.webhooksOfStage';
}

/** The store that the rules of webhooks use. */
export interface WebhookStore {
  read(id: WebhookId): Promise<Webhook | undefined>;
  /** Reads the options of a webhook; undefined if they have changed since it was read. */
  readOptions(webhook: Webhook): Promise<Options | undefined>;
  /**
   * Puts a webhook for an event, with its options, unless another one has the same event and target URL.
   * A declined one that it replaces is removed (`declined.ts`).
   * @param make returns the webhook with an id, a new one for each try, because an id may be taken
   * @param also further writes, all or nothing
   */
  create(
    event: string,
    make: (id: WebhookId) => Webhook,
    also?: (webhook: Webhook, replaced: Webhook | undefined) => readonly Write[],
  ): Promise<Webhook | 'no integration' | Duplicate | Full>;
  /** Replaces `before` by `after` and everything that belongs to it; `lost` if it has changed or was deleted since it was read. */
  replace(before: Webhook, after: Webhook, also?: readonly Write[]): Promise<'replaced' | 'lost' | Duplicate>;
  /** Removes a webhook and everything that belongs to it; `lost` if it has changed or was deleted since it was read. */
  remove(webhook: Webhook, also?: readonly Write[]): Promise<'removed' | 'lost'>;
}

/** Puts the guard, which makes the event with the target URL unique, or takes it from a webhook that this one replaces. */
const takeGuard = (webhook: Webhook, replaced?: Webhook): Write => ({
  kind: 'put',
  item: { ...guardKey(webhook), webhook_id: webhook.id },
  condition: replaced === undefined ? missing() : is('webhook_id', replaced.id),
});

/** Reads from a refused transaction which webhook has the guard that its write at this position tried to take. */
const holderOfGuard = (refusal: ConditionFailed, position: number): Duplicate => ({
  duplicateOf: refusal.found<{ webhook_id: WebhookId }>(position)?.webhook_id,
});

const releaseGuard = (webhook: Webhook): Write => ({
  kind: 'delete',
  key: guardKey(webhook),
  condition: is('webhook_id', webhook.id),
});

const subscribe = (webhook: Webhook): Write => ({
  kind: 'put',
  item: {
    ...subscriberKey(webhook.event, webhook.id),
    webhook_id: webhook.id,
    integration_id: webhook.integration_id,
    ...(isDeclined(webhook) && { [declinedMark]: true }),
  },
});

const unsubscribe = (webhook: Webhook): Write => ({ kind: 'delete', key: subscriberKey(webhook.event, webhook.id) });

/** The webhook has the event and target URL that were read, so its guard is the known one. */
const unmoved = (webhook: Webhook): Condition =>
  allOf(is('event', webhook.event), is('target_url', webhook.target_url));

/** Requires that the webhook is unchanged since it was read: fields that a PUT omits keep their values, even one written a moment before. */
const unchanged = (webhook: Webhook): Condition =>
  allOf(
    ...Object.entries(writableFields(webhookResource, webhook)).map(([name, value]) => is(name, value)),
    isStill('disabled_for', webhook.disabled_for),
    isStill('options_revision', webhook.options_revision),
  );

const updateOf = (before: Webhook, after: Webhook): Change => {
  const { status, updated_at, options_revision } = after;
  const set = { ...writableFields(webhookResource, after), updated_at, options_revision };
  const removed = options_revision === undefined && before.options_revision !== undefined ? ['options_revision'] : [];
  if (before.target_url === after.target_url) return { set, remove: removed };
  // The health of the old target does not apply to the new one.
  const ended = healthAttributes.filter((name) => status === 'available' || name !== 'disabled_for');
  return { set: { ...set, status }, remove: [...removed, ...ended] };
};

const isSame = (stored: Webhook | undefined, { event, target_url, updated_at, options_revision }: Webhook): boolean =>
  stored?.event === event &&
  stored.target_url === target_url &&
  stored.updated_at === updated_at &&
  stored.options_revision === options_revision;

/** Returns the writes that remove a webhook as it was read, with its guard, subscriber, pointer and options. */
export const removalOf = (webhook: Webhook): Write[] => [releaseGuard(webhook), ...removalWithoutGuard(webhook)];

const removalWithoutGuard = (webhook: Webhook): Write[] => [
  {
    kind: 'delete',
    key: webhookKey(webhook.id),
    condition: allOf(
      unmoved(webhook),
      is('updated_at', webhook.updated_at),
      isStill('disabled_for', webhook.disabled_for),
      isStill('options_revision', webhook.options_revision),
    ),
  },
  unsubscribe(webhook),
  { kind: 'delete', key: pointerKey(webhook.integration_id, webhook.id) },
  ...(webhook.options_revision === undefined ? [] : [{ kind: 'delete', key: optionsKey(webhook.id) } as const]),
];

/**
 * The cap of an integration's webhooks. The counter exists only until the deletion of the integration begins, so that a creation checks no other item
 * of the integration. A recount must not bring it back.
 */
export const webhookCap = (integration: IntegrationId): Cap => ({
  key: webhookCountKey(integration),
  max: settings().caps.webhooks,
  count: () => countItems(`INTEGRATION#${integration}`, 'WEBHOOK#', declinedMark),
  check: checkInUse(integration),
});

const isInUse = async (integration: IntegrationId): Promise<boolean> =>
  (await tryWrite(transact([checkInUse(integration)]))).written;

/** Counts the subscribers of all events, because each webhook has one; declined webhooks do not count. Those of an event that the stage no longer has are not counted. */
const countAll = async (): Promise<number> => {
  const events = knownEvents(settings().ownEvents);
  const counts = await Promise.all(
    events.map((event) => countItems(subscribersOf(event), subscriberPrefix, declinedMark)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

const capOfStage = (): Cap => ({
  key: allWebhooksCountKey,
  max: settings().caps.webhooksOfStage,
  count: countAll,
  standsMs: 10 * second,
});

/** The positions of the writes whose refusal is explained, in the transaction of a creation. */
const creation = { guard: 1, count: 2 } as const;

/** Creates a webhook within the cap of its integration. */
const createWithin = async (
  event: string,
  make: (id: WebhookId) => Webhook,
  also: (webhook: Webhook, replaced: Webhook | undefined) => readonly Write[],
): ReturnType<WebhookStore['create']> => {
  let replaced: Webhook | undefined;
  return untilWritten(`a webhook for ${event}`, async () => {
    const webhook = make(newId<WebhookId>());
    const cap = webhookCap(webhook.integration_id);
    const { refusal } = await tryOnce(
      transact([
        { kind: 'put', item: { ...webhookKey(webhook.id), ...webhook }, condition: missing() },
        takeGuard(webhook, replaced),
        addOne(cap),
        subscribe(webhook),
        {
          kind: 'put',
          item: {
            ...pointerKey(webhook.integration_id, webhook.id),
            ...({ webhook_id: webhook.id } satisfies WebhookPointer),
          },
          condition: missing(),
        },
        ...also(webhook, replaced),
        ...(replaced === undefined ? [] : removalWithoutGuard(replaced)),
      ]),
      async () => isSame(await readWebhook(webhook.id), webhook),
    );
    if (refusal === undefined) return webhook;
    if (refusal.failed.has(creation.count) && !(await isInUse(webhook.integration_id))) return 'no integration';
    if (refusal.failed.has(creation.guard) && replaced === undefined) {
      const { duplicateOf } = holderOfGuard(refusal, creation.guard);
      const holder = duplicateOf && (await readWebhook(duplicateOf));
      if (holder === undefined || !replaces(webhook, holder)) return { duplicateOf };
      replaced = holder;
      return undefined;
    }
    if (refusal.failed.has(creation.count) && !(await countAgain(cap, refusal.found(creation.count))))
      return { cap: cap.max, setting: 'caps.webhooks' };
    // If the webhook to replace has changed, the next try reads it again.
    replaced = undefined;
    return undefined;
  });
};

/** Returns whether the webhook is the result of this creation. */
export const isCreated = (result: Awaited<ReturnType<WebhookStore['create']>>): result is Webhook =>
  typeof result === 'object' && 'id' in result;

// Functions of their own, so that a function which imports only these is bundled without the others.
export const readWebhook: WebhookStore['read'] = (id) => get<Webhook>(webhookKey(id));

export const removeWebhook: WebhookStore['remove'] = async (webhook, also = []) => {
  const { written } = await tryOnce(
    transact([...removalOf(webhook), ...also]),
    async () => (await readWebhook(webhook.id)) === undefined,
  );
  return written ? 'removed' : 'lost';
};

export const webhookStore: WebhookStore = {
  read: readWebhook,
  readOptions,

  async create(event, make, also = () => []) {
    const cap = capOfStage();
    const place = await takePlace(cap);
    if (place === undefined) return { cap: cap.max, setting: 'caps.webhooksOfStage' };
    const result = await createWithin(event, make, also);
    if (!isCreated(result)) await place.giveBack();
    return result;
  },

  async replace(before, after, also = []) {
    const key = webhookKey(before.id);
    const change = updateOf(before, after);
    if (guardKey(before).sk === guardKey(after).sk && before.event === after.event) {
      // Only upper and lower case of the URL differ: the guard is the same item, which a transaction cannot write twice.
      const writes = [...marksBetween(before, after), ...also];
      const { written } = await updateOnceWith(key, change, unchanged(before), writes);
      return written ? 'replaced' : 'lost';
    }
    const condition = allOf(unchanged(before), isStill('health_revision', before.health_revision));
    const { refusal } = await tryOnce(
      transact([
        { kind: 'update', key, change, condition },
        releaseGuard(before),
        takeGuard(after),
        ...(before.event === after.event ? [] : [unsubscribe(before)]),
        subscribe(after),
        ...pointerMarkBetween(before, after),
        ...also,
      ]),
      async () => isSame(await readWebhook(after.id), after),
    );
    if (refusal === undefined) return 'replaced';
    return refusal.failed.has(0) || refusal.failed.has(1) ? 'lost' : holderOfGuard(refusal, 2);
  },

  remove: removeWebhook,
};
