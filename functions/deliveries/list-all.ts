/** `GET /admin/deliveries/`: lists the deliveries of all webhooks that the caller can see, newest first. */
import * as v from 'valibot';
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { listStaffMembers } from '../../shared/accounts/staff-store.ts';
import * as example from '../../shared/deliveries/example.ts';
import { filterParameters } from '../../shared/deliveries/log/filter.ts';
import { countLogPage } from '../../shared/deliveries/log/limit.ts';
import { logOfRead, logsOf } from '../../shared/deliveries/log/logs.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import { type EventOutcome, eventsWithId, outcomeOf } from '../../shared/deliveries/log/of-event.ts';
import { mayBeTold, searchDeliveries, withTitles } from '../../shared/deliveries/log/titles.ts';
import { listedDeliveryResource, presentListedDelivery } from '../../shared/deliveries/logged.ts';
import { deliveriesWithId } from '../../shared/deliveries/records/undelivered.ts';
import { withHolders } from '../../shared/deliveries/records/windows.ts';
import type { EventBody } from '../../shared/events/event.ts';
import {
  integrationPublisher,
  mastheadPublisher,
  pingPublisher,
  publisherOf,
  staffPublisher,
} from '../../shared/events/publisher.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';
import { field, idSchema, type Resource, timeSchema } from '../../shared/foundation/resource.ts';
import { type Documentation, forbidden, notFound } from '../../shared/http/documentation.ts';
import { idParameter, includes, invalidParameter, type Parameter, textParameter } from '../../shared/http/query.ts';
import { listIntegrationIds } from '../../shared/integrations/store.ts';
import { webhooksOf } from '../../shared/integrations/visible-webhooks.ts';
import { countRemoved } from '../../shared/webhooks/removed.ts';

const maxIntegrations = 1000;

const webhookIds = v.array(idSchema<WebhookId>());

/** What the list says about the event that `event_id` names. */
const listedEvent = field(
  v.strictObject({
    id: field(v.string(), 'The id of the event.'),
    event: field(v.string(), 'Its name.'),
    created_at: field(timeSchema, 'When it was accepted.'),
    title: field(v.nullable(v.string()), 'What has happened, in a sentence; null if its payload is no longer stored.'),
    resource_id: field(
      v.nullable(v.string()),
      'The id of the post, page, tag or member that it is about; null if it has none, or its payload is no longer ' +
        'stored.',
    ),
    left_out: field(
      v.array(
        v.strictObject({
          webhook_id: field(idSchema<WebhookId>(), 'The webhook.'),
          part: field(v.string(), 'The part of its filter that does.', 'post.current.visibility: ["public"]'),
        }),
      ),
      'The webhooks that subscribe to it and whose filter, as it is now, leaves it out.',
    ),
    changed: field(
      webhookIds,
      'The webhooks that subscribe to it, were changed since, and have no delivery of it: perhaps they subscribed ' +
        'later.',
    ),
    later: field(webhookIds, 'The webhooks that subscribe to it and were created later.'),
    removed: field(
      v.nullable(v.pipe(v.number(), v.integer())),
      'How many webhooks that subscribed to it were deleted since, whose deliveries are not listed; ' +
        'null if that is not known.',
    ),
  }),
  'With `event_id`, if one event has that id.',
);

interface Place {
  readonly webhook_id?: WebhookId;
  readonly id: DeliveryId;
}

const maxIds = 50;
const [id, pair] = ['[0-9a-f]{24}', '[0-9a-f]{24}:[0-9a-f]{24}'];
/** An id without its webhook is looked for at every webhook, so a request can have only one. */
const idsPattern = new RegExp(`^(?:${id}|${pair}(?:,${pair}){0,${maxIds - 1}})$`);

const deliveryIds: Parameter<readonly Place[] | undefined> = {
  schema: v.pipe(v.string(), v.regex(idsPattern)),
  description:
    'Only the delivery with this id, if its webhook is not known; ' +
    `or up to ${maxIds} deliveries as \`{webhook id}:{delivery id}\`, separated by commas.`,
  invalid: 'it is neither an id nor a list of such pairs, or too long',
  read: (text, name) => {
    if (text !== undefined && !idsPattern.test(text))
      throw invalidParameter(
        name,
        text,
        'format',
        `must be an id, or at most ${maxIds} pairs of ids of a webhook and a delivery`,
      );
    return text?.split(',').map((place) => {
      const [id = '', webhook_id] = place.split(':').toReversed();
      return { id: id as DeliveryId, ...(webhook_id !== undefined && { webhook_id: webhook_id as WebhookId }) };
    });
  },
};

export const handler = endpoint({
  line: 'deliveries/list-all',
  query: {
    ...filterParameters,
    webhook_id: idParameter<WebhookId>(
      'Only deliveries of this webhook.',
      'it is not an id; or it is missing, and the caller can see more than 1,000 webhooks',
    ),
    event_id: textParameter(
      'Only deliveries of the event with this id: the one that its publisher gave it, or the `Masthead-Event-Id` ' +
        'that receivers get. Includes deliveries that wait for their first attempt.',
    ),
    delivery_id: deliveryIds,
    search: textParameter(
      'Only deliveries of events that this is about: a part of what has happened (`title`), the id of the post, ' +
        'page, tag or member, or the id of the event.',
    ),
    include: includes(['title'], 'With `title`, each delivery says what has happened.', 'title'),
  },
  pages: { max: 100 },
  answer: {
    status: 200,
    root: 'deliveries',
    item: listedDeliveryResource,
    meta: { event: listedEvent },
  },
  handle: async ({
    query: { webhook_id, delivery_id, search = '', include, ...filters },
    page: { limit, after },
    caller,
    now,
    reply,
  }) => {
    const webhooks = await webhooksOf(caller, webhook_id);
    const ids = webhooks.map(({ id }) => id);
    await countLogPage(caller, webhooks.length, now);
    const events =
      filters.event_id === undefined ? [] : await eventsWithId(filters.event_id, await possiblePublishers(caller, ids));
    const outcomes = await Promise.all(events.map((event) => outcomeOf(event, ids, settings().deliveries, now)));
    const known =
      delivery_id === undefined
        ? outcomes.flatMap(({ deliveries }) => deliveries)
        : await deliveriesWithId(delivery_id, ids);
    const isKnown = delivery_id !== undefined || events.length > 0;
    const logs = isKnown ? [logOfRead(known)] : logsOf(webhooks, filters);
    const from = after<DeliveryId>();
    const { deliveries, next, searchedTo } =
      search.trim() === ''
        ? await mergeDeliveries(logs, filters, limit, from)
        : await searchDeliveries(logs, filters, search, { limit, after: from, caller });
    const shown = include.includes('title') && search.trim() === '' ? await withTitles(deliveries, caller) : deliveries;
    const meta = { event: await shownEvent(events, outcomes, caller, now) };
    return reply((await withHolders(shown)).map(presentListedDelivery), { next, searchedTo, meta });
  },
});

const shownEvent = async (
  [event, ...others]: readonly EventBody[],
  [outcome]: readonly EventOutcome[],
  caller: Caller,
  now: number,
): Promise<Resource<typeof listedEvent> | undefined> => {
  if (event === undefined || outcome === undefined || others.length > 0) return undefined;
  const { id, event: name, created_at } = event;
  const told = mayBeTold(caller, name) ? outcome.told : undefined;
  return {
    id,
    event: name,
    created_at,
    title: told?.title ?? null,
    resource_id: told?.resourceId ?? null,
    left_out: [...outcome.leftOut],
    changed: [...outcome.changed],
    later: [...outcome.later],
    removed: await countRemoved(caller, name, Date.parse(created_at), now),
  };
};

/** Returns who may have published an event, except for sources on the bus, which are not listed anywhere. */
const possiblePublishers = async (caller: Caller, webhooks: readonly WebhookId[]): Promise<readonly string[]> => {
  const [integrations, staff] = await Promise.all([listIntegrationIds(maxIntegrations), listStaffMembers()]);
  return [
    publisherOf(caller),
    ...integrations.map(integrationPublisher),
    ...staff.map(({ id }) => staffPublisher(id)),
    ...webhooks.map(pingPublisher),
    mastheadPublisher,
  ];
};

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'List the deliveries of all webhooks',
  description:
    'Newest first, over all webhooks that the caller can see: staff those of all integrations, an integration its ' +
    'own; at most 1,000 webhooks. Deliveries of one event are found by its id at once. ' +
    'If few of many deliveries match the filters, a page can be short: `meta.pagination.searched_to` then states ' +
    'how far the search went, and `next` continues it.',
  errors: [notFound('no webhook has the id `webhook_id`'), forbidden('the webhook belongs to another integration')],
  examples: {
    'of-one-event': {
      summary: 'The deliveries of one event to all webhooks',
      query: { event_id: 'post-6748-published' },
      answer: [example.delivered],
      pagination: { limit: 100, next: null },
      meta: {
        event: {
          id: 'post-6748-published',
          event: 'post.published',
          created_at: example.delivered.created_at,
          title: 'Post published: What to sow in winter',
          resource_id: '6748a1b2c3d4e5f601234567',
          left_out: [],
          changed: [],
          later: [],
          removed: 0,
        },
      },
    },
  },
});
