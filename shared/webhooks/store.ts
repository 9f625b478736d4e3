/** Stores webhooks in the table: record, guards, subscribers and pointer, always changed together. */
import { checkInUse } from '../accounts/integration-guard.ts';
import { dueAt } from '../due/due-index.ts';
import { knownEvents } from '../events/catalogue.ts';
import { day, minute, second, systemClock, timestamp } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { ValidationError } from '../foundation/errors.ts';
import { covers, namesIn, patternsOf, subscribedLists } from '../foundation/event-selection.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { writableFields } from '../foundation/resource.ts';
import { addOne, type Cap, countAgain, takePlace } from '../limits/cap.ts';
import { getMany } from '../table/batch.ts';
import { allOf, type Change, type Condition, is, isStill, missing } from '../table/condition.ts';
import { type ConditionFailed, tryWrite } from '../table/conditional.ts';
import { get } from '../table/item.ts';
import { tryOnce, updateOnceWith } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import { countItems, queryAll } from '../table/query.ts';
import { distinct, type Item, isSameKey, type Key } from '../table/table-key.ts';
import { maxWrites, transact, type Write } from '../table/transaction.ts';
import { isDeclined, pointerMarkBetween, replaces, uncounted } from './declined.ts';
import type { Options } from './options-resource.ts';
import { optionsKey, readOptions } from './options-store.ts';
import type { Left } from './subscriptions.ts';
import {
  allWebhooksCountKey,
  guardKey,
  pointerKey,
  subscriberKey,
  subscriberPrefix,
  subscribersOf,
  variantPrefix,
  webhookCountKey,
  webhookKey,
} from './table-keys.ts';
import { healthAttributes, type Webhook, type WebhookPointer, webhookResource } from './webhook.ts';

/** Another webhook already has one of the names with this target URL. */
export interface Duplicate {
  /** Undefined if it is gone meanwhile. */
  readonly duplicateOf: WebhookId | undefined;
  readonly event: string;
}

/** The integration, or the stage, already has as many webhooks as the cap allows. */
export interface Full {
  readonly cap: number;
  readonly setting: 'caps.webhooks' | 'caps.webhooksOfStage';
}

export interface WebhookStore {
  read(id: WebhookId): Promise<Webhook | undefined>;
  /** Reads the options of a webhook; undefined if they have changed since it was read. */
  readOptions(webhook: Webhook): Promise<Options | undefined>;
  /**
   * Puts a webhook with its options, unless another one has one of its names with the same target URL.
   * Declined ones that it replaces are removed (`declined.ts`).
   * @param make returns the webhook with an id, a new one for each try, because an id may be taken
   * @param also further writes, all or nothing
   * @throws ValidationError if that exceeds a transaction, or if too many URLs differ little, as `replace` does
   */
  create(
    event: string,
    make: (id: WebhookId) => Webhook,
    also?: (webhook: Webhook, replaced: readonly Webhook[]) => readonly Write[],
  ): Promise<Webhook | 'no integration' | Duplicate | Full>;
  /** Replaces `before` and everything that belongs to it; `lost` if it has changed or was deleted since it was read. */
  replace(before: Webhook, after: Webhook, also?: readonly Write[]): Promise<'replaced' | 'lost' | Duplicate>;
  /** Removes a webhook and everything that belongs to it; `lost` if it has changed or was deleted since it was read. */
  remove(webhook: Webhook, also?: readonly Write[]): Promise<'removed' | 'lost'>;
}

/** Returns the keys of a webhook's guards, each of which makes a name or pattern with the target URL unique. */
const guardsOf = ({ event, target_url }: Pick<Webhook, 'event' | 'target_url'>): readonly Key[] =>
  namesIn(event).map((name) => guardKey({ event: name, target_url }));

/** Puts a guard, or takes it from the webhook `replaced`. */
const takeGuard = (key: Key, webhook: Webhook, replaced?: Webhook): Write => ({
  kind: 'put',
  item: { ...key, ...({ webhook_id: webhook.id, integration_id: webhook.integration_id } satisfies Holder) },
  condition: replaced === undefined ? missing() : is('webhook_id', replaced.id),
});

/** Reads from a refused transaction which webhook has the guard that its write at this position tried to take. */
const holderOfGuard = (refusal: ConditionFailed, position: number, guard: Key): Duplicate => ({
  duplicateOf: refusal.found<Holder>(position)?.webhook_id,
  event: listOf(guard),
});

/** Returns the name or pattern of a guard or a subscriber. */
const listOf = ({ pk }: Key): string => pk.slice(subscribersOf('').length);

interface Holder {
  readonly webhook_id: WebhookId;
  readonly integration_id: IntegrationId;
}

/** The most webhooks of an integration for one name whose URLs differ only by query or fragment. */
const maxVariants = 20;

/** Checks `maxVariants` before the transaction; concurrent ones may exceed it. @throws ValidationError */
const checkVariants = async (webhook: Webhook, guards: readonly Key[]): Promise<void> => {
  const beginsWith = variantPrefix(webhook);
  const where = is('integration_id', webhook.integration_id);
  const counts = await Promise.all(
    guards.map(async (guard) => {
      const held = await queryAll<Key & Holder>(guard.pk, { beginsWith, where });
      // What holds the guard itself is a duplicate, or replaced.
      return held.filter((one) => one.webhook_id !== webhook.id && !isSameKey(one, guard)).length;
    }),
  );
  const full = guards.find((_, position) => (counts[position] ?? 0) >= maxVariants);
  if (full === undefined) return;
  const already = `${maxVariants} webhooks for \`${listOf(full)}\``;
  throw new ValidationError(`\`target_url\` differs from those of ${already} by its query or fragment only.`, {
    property: 'target_url',
    context: 'Requests for all of them reach one address.',
    help: 'Delete one of them, or use another path. One webhook can have several events.',
    details: [{ index: 0, field: 'target_url', rule: 'variants', limit: maxVariants, received: 'another variant' }],
  });
};

const releaseGuard = (key: Key, { id }: Webhook): Write => ({ kind: 'delete', key, condition: is('webhook_id', id) });

/** Returns the items by which fan-out finds a webhook. The stage's cap counts the first one. */
const subscribersFor = (webhook: Webhook): readonly Item[] =>
  subscribedLists(webhook.event).map((list, position) => ({
    ...subscriberKey(list, webhook.id),
    webhook_id: webhook.id,
    integration_id: webhook.integration_id,
    ...((position > 0 || isDeclined(webhook)) && { [uncounted]: true }),
  }));

const unsubscribe = (webhook: Webhook): Write[] =>
  subscribersFor(webhook).map((item) => ({ kind: 'delete', key: keyOf(item) }));

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

/** How long a subscriber stays in a list that it has left: longer than an event can wait in the queue. */
const leftMs = 15 * day;

const subscribersBetween = (before: Webhook, after: Webhook): Write[] => {
  const [held, wanted] = [subscribersFor(before), subscribersFor(after)];
  const isThere = (item: Item): boolean => held.some((one) => JSON.stringify(one) === JSON.stringify(item));
  const leave = (item: Item): Write => {
    if (!wanted.some((one) => covers(listOf(item), listOf(one)))) return { kind: 'delete', key: keyOf(item) };
    const now = systemClock();
    // The change takes a moment, and clocks differ.
    const left: Left = { at: timestamp(now + minute), event: after.event };
    return { kind: 'put', item: { ...item, left, [uncounted]: true, expires_at: Math.floor((now + leftMs) / second) } };
  };
  return [
    ...without(held, wanted).map(leave),
    ...wanted.filter((item) => !isThere(item)).map((item): Write => ({ kind: 'put', item })),
  ];
};

const without = <Of extends Key>(keys: readonly Of[], others: readonly Key[]): readonly Of[] =>
  keys.filter((key) => !others.some((other) => isSameKey(key, other)));

/** @throws ValidationError for more writes than a transaction can have */
const checkFits = (writes: readonly Write[], event: string): void => {
  if (writes.length <= maxWrites) return;
  const names = namesIn(event).length;
  throw new ValidationError(`\`event\` has too many names for this change: it needs ${writes.length} writes.`, {
    property: 'event',
    context:
      `All of a change is written at once, with at most ${maxWrites} writes: about two for each name that is added, ` +
      'removed or moved.',
    help:
      'Change the events first, then the target; many names in several requests. ' +
      'A pattern such as post.* counts as one name.',
    details: [{ index: 0, field: 'event', rule: 'max_writes', limit: maxWrites, received: `${names} names` }],
  });
};

/** The webhook has the event and target URL that were read, so its guard is the known one. */
const unmoved = (webhook: Webhook): Condition =>
  allOf(is('event', webhook.event), is('target_url', webhook.target_url));

/** Requires that the webhook is as it was read: fields that a PUT omits keep their values, even very new ones. */
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
  const { releasing } = after;
  const isReleased = releasing !== undefined && releasing !== before.releasing && before.backlog === undefined;
  const release = isReleased ? { releasing, ...dueAt(webhookKey(after.id), Date.parse(releasing)) } : {};
  if (before.target_url === after.target_url) return { set: { ...set, ...release }, remove: removed };
  // The health of the old target does not apply to the new one.
  const isKept = (name: string): boolean => name in release || (name === 'disabled_for' && status !== 'available');
  const ended = healthAttributes.filter((name) => !isKept(name));
  return { set: { ...set, status, ...release }, remove: [...removed, ...ended] };
};

const isSame = (stored: Webhook | undefined, { event, target_url, updated_at, options_revision }: Webhook): boolean =>
  stored?.event === event &&
  stored.target_url === target_url &&
  stored.updated_at === updated_at &&
  stored.options_revision === options_revision;

/** Returns the writes that remove a webhook as it was read, without the guards that another webhook takes from it. */
export const removalOf = (webhook: Webhook, taken: readonly Key[] = []): Write[] => [
  ...without(guardsOf(webhook), taken).map((key) => releaseGuard(key, webhook)),
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
  ...unsubscribe(webhook),
  { kind: 'delete', key: pointerKey(webhook.integration_id, webhook.id) },
  ...(webhook.options_revision === undefined ? [] : [{ kind: 'delete', key: optionsKey(webhook.id) } as const]),
];

/** An integration's cap, whose counter ends when the integration's deletion begins; a recount must not revive it. */
export const webhookCap = (integration: IntegrationId): Cap => ({
  key: webhookCountKey(integration),
  max: settings().caps.webhooks,
  count: () => countItems(`INTEGRATION#${integration}`, 'WEBHOOK#', uncounted),
  check: checkInUse(integration),
});

const isInUse = async (integration: IntegrationId): Promise<boolean> =>
  (await tryWrite(transact([checkInUse(integration)]))).written;

/** Counts the first subscribers of all lists, one per webhook; those of events that the stage no longer has are not. */
const countAll = async (): Promise<number> => {
  const counts = await Promise.all(
    listsOfStage().map((list) => countItems(subscribersOf(list), subscriberPrefix, uncounted)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

const listsOfStage = (): readonly string[] => {
  const { ownEvents } = settings();
  return [...knownEvents(ownEvents), ...patternsOf(ownEvents)];
};

const capOfStage = (): Cap => ({
  key: allWebhooksCountKey,
  max: settings().caps.webhooksOfStage,
  count: countAll,
  standsMs: 10 * second,
});

/** The positions of writes whose refusal is explained: the counter, and the guards from here on. */
const creation = { count: 1, guards: 3 } as const;

/** Finds declined webhooks whose names a new one includes without having them: a new `*` replaces `post.added`. */
const findIncluded = async (webhook: Webhook): Promise<readonly Webhook[]> => {
  const names = namesIn(webhook.event);
  const included = listsOfStage().filter((name) => !names.includes(name) && covers(webhook.event, name));
  const guards = await getMany<Holder>(included.flatMap((event) => guardsOf({ ...webhook, event })));
  const holders = await getMany<Webhook>(distinct(guards.map(({ webhook_id }) => webhookKey(webhook_id))));
  return holders.filter((holder) => replaces(webhook, holder));
};

const createWithin = async (
  event: string,
  make: (id: WebhookId) => Webhook,
  also: (webhook: Webhook, replaced: readonly Webhook[]) => readonly Write[],
): ReturnType<WebhookStore['create']> => {
  /** Declined webhooks whose guards the new one needs. */
  let holders: readonly Webhook[] = [];
  return untilWritten(`a webhook for ${event}`, async () => {
    const webhook = make(newId<WebhookId>());
    const cap = webhookCap(webhook.integration_id);
    const guards = guardsOf(webhook);
    await checkVariants(webhook, guards);
    const holderAmong = (key: Key) => holders.find((one) => guardsOf(one).some((guard) => isSameKey(guard, key)));
    const writesWith = (replaced: readonly Webhook[]): Write[] => [
      { kind: 'put', item: { ...webhookKey(webhook.id), ...webhook }, condition: missing() },
      addOne(cap),
      {
        kind: 'put',
        item: {
          ...pointerKey(webhook.integration_id, webhook.id),
          ...({ webhook_id: webhook.id } satisfies WebhookPointer),
        },
        condition: missing(),
      },
      ...guards.map((key) => takeGuard(key, webhook, holderAmong(key))),
      ...subscribersFor(webhook).map((item): Write => ({ kind: 'put', item })),
      ...also(webhook, replaced),
      ...replaced.flatMap((one) => removalOf(one, guards)),
    ];
    const isHolder = ({ id }: Webhook): boolean => holders.some((one) => one.id === id);
    const included = (await findIncluded(webhook)).filter((one) => !isHolder(one));
    let writes = writesWith([...holders, ...included]);
    // Those that do not fit stay as they are, and are deleted after 30 days.
    while (writes.length > maxWrites && included.pop() !== undefined) writes = writesWith([...holders, ...included]);
    checkFits(writes, event);
    const { refusal } = await tryOnce(transact(writes), async () => isSame(await readWebhook(webhook.id), webhook));
    if (refusal === undefined) return webhook;
    if (refusal.failed.has(creation.count) && !(await isInUse(webhook.integration_id))) return 'no integration';
    const rivals = guards.flatMap((key, position) =>
      refusal.failed.has(creation.guards + position) && holderAmong(key) === undefined
        ? [holderOfGuard(refusal, creation.guards + position, key)]
        : [],
    );
    if (rivals.length > 0) {
      const found = await getMany<Webhook>(
        distinct(rivals.flatMap(({ duplicateOf }) => (duplicateOf === undefined ? [] : [webhookKey(duplicateOf)]))),
      );
      const replaced = found.filter((one) => replaces(webhook, one));
      const rival = rivals.find(({ duplicateOf }) => !replaced.some(({ id }) => id === duplicateOf));
      if (rival !== undefined) return rival;
      holders = [...holders, ...replaced];
      return undefined;
    }
    if (refusal.failed.has(creation.count) && !(await countAgain(cap, refusal.found(creation.count))))
      return { cap: cap.max, setting: 'caps.webhooks' };
    // If a webhook to replace has changed, the next try reads it again.
    holders = [];
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
    const [held, wanted] = [guardsOf(before), guardsOf(after)];
    const [released, taken] = [without(held, wanted), without(wanted, held)];
    await checkVariants(after, taken);
    const more = [
      ...taken.map((key) => takeGuard(key, after)),
      ...released.map((key) => releaseGuard(key, before)),
      ...subscribersBetween(before, after),
      ...pointerMarkBetween(before, after),
      ...also,
    ];
    const isMoved = before.target_url !== after.target_url;
    const condition = isMoved
      ? allOf(unchanged(before), isStill('health_revision', before.health_revision))
      : unchanged(before);
    const key = webhookKey(before.id);
    checkFits([{ kind: 'check', key, condition }, ...more], after.event);
    const { refusal } = await updateOnceWith(key, updateOf(before, after), condition, more);
    if (refusal === undefined) return 'replaced';
    if (refusal.failed.has(0)) return 'lost';
    const position = taken.findIndex((_, index) => refusal.failed.has(1 + index));
    const guard = taken[position];
    return guard === undefined ? 'lost' : holderOfGuard(refusal, 1 + position, guard);
  },

  remove: removeWebhook,
};
