/** Stores webhooks in the table: record, guard, subscriber and pointer, always changed together. */

import { checkInUse } from '../accounts/integration-guard.ts';
import { knownEvents } from '../events/catalogue.ts';
import { systemClock } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import type { CohortId, IntegrationId, WebhookId } from '../foundation/ids.ts';
import { inBlocks } from '../limits/blocks.ts';
import { addOne, type Cap, countAgain } from '../limits/cap.ts';
import { allOf, type Change, type Condition, exists, is, missing } from '../table/condition.ts';
import { type ConditionFailed, tryWrite } from '../table/conditional.ts';
import { get } from '../table/item.ts';
import { tryOnce, updateOnce } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import { countItems } from '../table/query.ts';
import { transact, type Write } from '../table/transaction.ts';
import { announced } from './announcement.ts';
import { chooseCohort } from './cohorts.ts';
import { recovered } from './failing.ts';
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
import { healthAttributes, type Webhook, type WebhookPointer } from './webhook.ts';

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
  /**
   * Puts a webhook for an event unless another one has its event and target URL.
   * @param make returns the webhook, with a new id for each try: one may be taken
   */
  create(event: string, make: (cohort: CohortId) => Webhook): Promise<Webhook | 'no integration' | Duplicate | Full>;
  /** Replaces `before` by `after`; `lost` if it has changed or was deleted since it was read. */
  replace(before: Webhook, after: Webhook): Promise<'replaced' | 'lost' | Duplicate>;
  /** Removes a webhook; `lost` if it has changed or was deleted since it was read. */
  remove(webhook: Webhook): Promise<'removed' | 'lost'>;
}

/** Puts the guard, which makes the event with the target URL unique. */
const takeGuard = (webhook: Webhook): Write => ({
  kind: 'put',
  item: { ...guardKey(webhook), webhook_id: webhook.id },
  condition: missing(),
});

/** Reads from a refused transaction which webhook has the guard that its write at this position was to take. */
const holderOfGuard = (refusal: ConditionFailed, position: number): Duplicate => ({
  duplicateOf: refusal.found<{ webhook_id: WebhookId }>(position)?.webhook_id,
});

const releaseGuard = (webhook: Webhook): Write => ({
  kind: 'delete',
  key: guardKey(webhook),
  condition: is('webhook_id', webhook.id),
});

/** Subscribes in the normal lane: the health of the old target does not apply to a new one. */
const subscribe = (webhook: Webhook): Write => ({
  kind: 'put',
  item: {
    ...subscriberKey(webhook.event, webhook.id),
    webhook_id: webhook.id,
    cohort: webhook.cohort,
  },
});

const unsubscribe = (webhook: Webhook): Write => ({ kind: 'delete', key: subscriberKey(webhook.event, webhook.id) });

/** The webhook has the event and target URL that were read, so its guard is the known one. */
const unmoved = (webhook: Webhook): Condition =>
  allOf(exists(), is('event', webhook.event), is('target_url', webhook.target_url));

/** The webhook is unchanged since it was read: fields that a PUT omits keep their values, including one written a moment before. */
const unchanged = (webhook: Webhook): Condition =>
  allOf(unmoved(webhook), is('name', webhook.name), is('api_version', webhook.api_version));

const writableFields = (before: Webhook, after: Webhook): Change => {
  const { announcement } = recovered(before, Date.parse(after.updated_at));
  const news = announcement && announced(after.id, announcement, Date.parse(after.updated_at));
  const isDue = news !== undefined || before.announcements !== undefined;
  return {
    set: {
      event: after.event,
      target_url: after.target_url,
      name: after.name,
      api_version: after.api_version,
      status: after.status,
      updated_at: after.updated_at,
      ...news?.set,
    },
    // A successful PUT resets the health: it makes a disabled webhook available (docs/compatibility.md, "Webhooks").
    remove: healthAttributes.filter((name) => !(isDue && (name === 'due' || name === 'due_at'))),
    ...(news?.append && { append: news.append }),
  };
};

const isSame = (stored: Webhook | undefined, { event, target_url, updated_at }: Webhook): boolean =>
  stored?.event === event && stored.target_url === target_url && stored.updated_at === updated_at;

/** Returns the writes that remove a webhook as it was read, with its guard, subscriber and pointer. */
export const removalOf = (webhook: Webhook): Write[] => [
  { kind: 'delete', key: webhookKey(webhook.id), condition: unmoved(webhook) },
  releaseGuard(webhook),
  unsubscribe(webhook),
  { kind: 'delete', key: pointerKey(webhook.integration_id, webhook.id) },
];

/** The counter exists only while the integration is in use, so that no other item of the integration is checked by each creation. */
const capOf = (integration: IntegrationId): Cap => ({
  key: webhookCountKey(integration),
  max: settings().caps.webhooks,
  count: () => countItems(`INTEGRATION#${integration}`, 'WEBHOOK#'),
  check: checkInUse(integration),
});

const isInUse = async (integration: IntegrationId): Promise<boolean> =>
  (await tryWrite(transact([checkInUse(integration)]))).written;

/** Counts the subscribers of all events: each webhook has one. Those of an event that the stage no longer has are not counted. */
const countAll = async (): Promise<number> => {
  const events = knownEvents(settings().ownEvents);
  const counts = await Promise.all(events.map((event) => countItems(subscribersOf(event), subscriberPrefix)));
  return counts.reduce((sum, count) => sum + count, 0);
};

const ofStage = inBlocks({ key: allWebhooksCountKey, count: countAll, clock: systemClock });

/** Creates a webhook within the cap of its integration. */
const createWithin = (event: string, make: () => Webhook): ReturnType<WebhookStore['create']> =>
  untilWritten(`a webhook for ${event}`, async () => {
    const webhook = make();
    const cap = capOf(webhook.integration_id);
    const { refusal } = await tryOnce(
      transact([
        { kind: 'put', item: { ...webhookKey(webhook.id), ...webhook }, condition: missing() },
        takeGuard(webhook),
        subscribe(webhook),
        {
          kind: 'put',
          item: {
            ...pointerKey(webhook.integration_id, webhook.id),
            ...({ webhook_id: webhook.id, cohort: webhook.cohort } satisfies WebhookPointer),
          },
          condition: missing(),
        },
        addOne(cap),
      ]),
      async () => isSame(await webhookStore.read(webhook.id), webhook),
    );
    if (refusal === undefined) return webhook;
    if (refusal.failed.has(4) && !(await isInUse(webhook.integration_id))) return 'no integration';
    if (refusal.failed.has(1)) return holderOfGuard(refusal, 1);
    // Its id is taken: another one of its cohort has it, from the same millisecond.
    if (refusal.failed.has(0)) return undefined;
    return (await countAgain(cap, refusal.found(4))) ? undefined : { cap: cap.max, setting: 'caps.webhooks' };
  });

/** Whether the result of a creation is the webhook. */
export const isCreated = (result: Awaited<ReturnType<WebhookStore['create']>>): result is Webhook =>
  typeof result === 'object' && 'id' in result;

export const webhookStore: WebhookStore = {
  read: (id) => get<Webhook>(webhookKey(id)),

  async create(event, make) {
    const cap = settings().caps.webhooksOfStage;
    if (!(await ofStage.take(cap))) return { cap, setting: 'caps.webhooksOfStage' };
    // Last, so that environments that create webhooks at the same time rarely read before others have written.
    const cohort = await chooseCohort(event);
    const result = await createWithin(event, () => make(cohort));
    if (!isCreated(result)) ofStage.giveBack();
    return result;
  },

  async replace(before, after) {
    const key = webhookKey(before.id);
    if (guardKey(before).sk === guardKey(after).sk && before.event === after.event) {
      // Only the case of the URL differs: the guard is the same item, which a transaction cannot write twice.
      const { written } = await updateOnce(key, writableFields(before, after), unchanged(before));
      return written ? 'replaced' : 'lost';
    }
    const { refusal } = await tryOnce(
      transact([
        { kind: 'update', key, change: writableFields(before, after), condition: unchanged(before) },
        releaseGuard(before),
        takeGuard(after),
        ...(before.event === after.event ? [] : [unsubscribe(before)]),
        subscribe(after),
      ]),
      async () => isSame(await webhookStore.read(after.id), after),
    );
    if (refusal === undefined) return 'replaced';
    return refusal.failed.has(0) || refusal.failed.has(1) ? 'lost' : holderOfGuard(refusal, 2);
  },

  async remove(webhook) {
    const { written } = await tryOnce(
      transact(removalOf(webhook)),
      async () => (await webhookStore.read(webhook.id)) === undefined,
    );
    return written ? 'removed' : 'lost';
  },
};
