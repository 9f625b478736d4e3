/** Tries a filter on the newest events of a webhook, including those that its current filter has left out. */
import type { EventBody } from '../../events/event.ts';
import type { Filter } from '../../formats/filter.ts';
import { passesFilter } from '../../formats/match.ts';
import { covers } from '../../foundation/event-selection.ts';
import { jsonObject, requestItem } from '../../foundation/fields.ts';
import type { Resource } from '../../foundation/resource.ts';
import { checkOptions } from '../../webhooks/options.ts';
import { noOptions } from '../../webhooks/options-resource.ts';
import { readFiltered } from '../../webhooks/options-store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { loadedEvent } from '../attempt/load.ts';
import { logOf } from '../records/store.ts';
import { mergeDeliveries } from './merge.ts';
import type { TriedEvent, trialResource } from './resource.ts';
import { storedEvents, withPayload } from './stored-events.ts';
import { tellOf } from './titles.ts';

const maxEvents = 20;

export const newTrial = requestItem('NewTrial', { filter: jsonObject });

/** Tries a filter. @throws ValidationError for a filter that cannot be saved */
export const tryFilter = async (webhook: Webhook, filter: Filter): Promise<Resource<typeof trialResource>> => {
  checkOptions({ ...noOptions, filter }, webhook, '');
  const { id, event } = webhook;
  const [{ deliveries }, filtered] = await Promise.all([
    mergeDeliveries([logOf(id)], { trigger: 'event' }, maxEvents, undefined),
    readFiltered(id),
  ]);
  const delivered = new Set(deliveries.map(({ body_hash }) => body_hash));
  const stored = await storedEvents([...delivered, ...filtered.newest]);
  // Some may be of a name that the webhook has given up since.
  const newest = [...stored]
    .filter(([, body]) => covers(event, body.event))
    .sort(([, one], [, other]) => Date.parse(other.created_at) - Date.parse(one.created_at))
    .slice(0, maxEvents);
  const events: TriedEvent[] = [];
  // One after the other, because a payload can have several MiB.
  for (const [hash, body] of newest) {
    const whole = await withPayload(hash, body);
    if (whole !== undefined) events.push({ ...tried(webhook, whole, filter), left_out: !delivered.has(hash) });
  }
  return { matched: events.filter(({ matched }) => matched).length, events };
};

const tried = ({ api_version }: Webhook, stored: EventBody, filter: Filter) => {
  const { id: event_id, event, created_at } = stored;
  const body = loadedEvent(stored).build(api_version).parsed();
  return {
    event_id,
    event,
    created_at,
    title: tellOf(stored, body).title,
    matched: passesFilter(filter, event, body),
  };
};
