/** Previews: the request that a webhook with some options would get for an example event, or for an earlier one. */
import * as v from 'valibot';
import { eventName, knownEvents } from '../../events/catalogue.ts';
import { bodyHash, type EventBody, hasId } from '../../events/event.ts';
import { examplePayload } from '../../events/example-payload.ts';
import { passesFilter } from '../../formats/match.ts';
import { currentApiVersion } from '../../foundation/api-version.ts';
import { timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import { requestItem, text } from '../../foundation/fields.ts';
import { type DeliveryId, idPattern, type WebhookId } from '../../foundation/ids.ts';
import type { Resource } from '../../foundation/resource.ts';
import type { Settings } from '../../foundation/settings.ts';
import { checkOptions, optionsChanges, previewedOptions } from '../../webhooks/options.ts';
import { readFiltered } from '../../webhooks/options-store.ts';
import { webhookFields } from '../../webhooks/schema.ts';
import { requestOf } from '../attempt/attempt.ts';
import { loadedEvent } from '../attempt/load.ts';
import { earlierDelivery, earlierId } from './earlier.ts';
import type { previewResource } from './resource.ts';
import { showRequest } from './sent.ts';
import { storedEvent, storedEvents, withPayload } from './stored-events.ts';

/** Returns the schema of a preview. */
export const newPreview = (rules: Pick<Settings, 'ownEvents' | 'targets'>) =>
  requestItem('NewPreview', {
    event: eventName(knownEvents(rules.ownEvents), 'does not exist'),
    example: v.exactOptional(
      v.literal(true, 'must be true; to preview an earlier event, send its `event_id` instead.'),
    ),
    event_id: v.exactOptional(earlierId),
    webhook_id: v.exactOptional(
      v.pipe(
        text,
        v.regex(idPattern, 'must be the id of a webhook: 24 lower-case hex characters.'),
        v.transform((id) => id as WebhookId),
      ),
    ),
    target_url: webhookFields(rules).target_url,
    api_version: v.optional(webhookFields(rules).api_version, currentApiVersion),
    options: v.exactOptional(optionsChanges),
  });

type NewPreview = v.InferOutput<ReturnType<typeof newPreview>>;

type PreviewedEvent = Pick<EventBody, 'id' | 'publisher' | 'payload' | 'created_at'>;

const exampleEvent = (event: string, now: number): PreviewedEvent => ({
  id: exampleId,
  publisher: 'example',
  payload: JSON.stringify(examplePayload(event)),
  created_at: timestamp(now),
});

const instead = 'Omit `event_id` to preview an example.';

/** Finds an event that a webhook has received, or whose filter has recently left it out. @throws NotFoundError */
export const earlierEvent = async (
  event: string,
  event_id: string,
  webhooks: readonly WebhookId[],
): Promise<PreviewedEvent> => {
  const stored =
    (await filteredEvent(event, event_id, webhooks)) ??
    (await storedEvent((await earlierDelivery(webhooks, { event, event_id }, instead)).body_hash));
  if (stored !== undefined) return stored;
  throw new NotFoundError(`The event \`${event_id}\` is no longer stored.`, {
    property: 'event_id',
    help: `Preview a newer event. ${instead}`,
  });
};

const filteredEvent = async (
  event: string,
  event_id: string,
  [webhook, ...others]: readonly WebhookId[],
): Promise<EventBody | undefined> => {
  if (webhook === undefined || others.length > 0) return undefined;
  const stored = await storedEvents((await readFiltered(webhook)).newest);
  const found = [...stored].find(([hash, body]) => body.event === event && hasId(body.id, hash, event_id));
  return found && withPayload(...found);
};

/** Returns a preview, by default of an example. @throws ValidationError for unfit options */
export const previewOf = (
  { event, target_url, api_version, options: sent = {} }: NewPreview,
  now: number,
  previewed: PreviewedEvent = exampleEvent(event, now),
): Resource<typeof previewResource> => {
  const options = previewedOptions(sent);
  checkOptions(options, { event, target_url }, 'options.');
  const loaded = loadedEvent({ ...previewed, event });
  const { id: event_id, publisher } = previewed;
  const body_hash = bodyHash(publisher, event_id);
  const message = { delivery_id: exampleId, event, event_id, body_hash, attempt: 1, trigger: 'event' } as const;
  const request = requestOf({ target_url, api_version, secret: null }, loaded, message, now, 0, options);
  return {
    ...showRequest(request),
    matched: options.filter === null || passesFilter(options.filter, event, loaded.build(api_version).parsed()),
  };
};

const exampleId = '0'.repeat(24) as DeliveryId;
