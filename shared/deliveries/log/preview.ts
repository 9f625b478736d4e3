/** Previews: the request that a webhook with some options would get for an example of an event. */
import * as v from 'valibot';
import { eventName, knownEvents } from '../../events/catalogue.ts';
import { examplePayload } from '../../events/example-payload.ts';
import { matches } from '../../formats/filter.ts';
import { currentApiVersion } from '../../foundation/api-version.ts';
import { timestamp } from '../../foundation/clock.ts';
import { objectOf } from '../../foundation/fields.ts';
import type { DeliveryId } from '../../foundation/ids.ts';
import { field, type Resource } from '../../foundation/resource.ts';
import type { Settings } from '../../foundation/settings.ts';
import { checkOptions, optionsChanges, previewedOptions } from '../../webhooks/options.ts';
import { webhookFields } from '../../webhooks/schema.ts';
import { requestOf } from '../attempt/attempt.ts';
import { loadedEvent } from '../attempt/load.ts';
import { showRequest } from './sent.ts';

/** Returns the schema of a preview. */
export const newPreview = (rules: Pick<Settings, 'ownEvents' | 'targets'>) =>
  objectOf({
    event: eventName(knownEvents(rules.ownEvents), 'does not exist'),
    example: v.exactOptional(v.literal(true, 'must be true: a preview shows an example of the event.')),
    target_url: webhookFields(rules).target_url,
    api_version: v.optional(webhookFields(rules).api_version, currentApiVersion),
    options: v.exactOptional(optionsChanges),
  });

type NewPreview = v.InferOutput<ReturnType<typeof newPreview>>;

export const previewResource = v.strictObject({
  method: field(v.literal('POST'), 'Always `POST`.', 'POST'),
  url: field(
    v.string(),
    'Where it would be sent: the target without its fragment.',
    'https://hooks.bookshop.example/masthead',
  ),
  headers: field(
    v.record(v.string(), v.string()),
    'Its headers, without the values of secrets. A webhook with a `secret` also has signatures.',
  ),
  body: field(v.string(), 'The exact body; empty for a format without one.'),
  matched: field(v.boolean(), 'Whether the filter lets the event through.', true),
});

/** Returns a preview; `now` in epoch ms. @throws ValidationError for options that do not fit */
export const previewOf = (
  { event, target_url, api_version, options: sent = {} }: NewPreview,
  now: number,
): Resource<typeof previewResource> => {
  const options = previewedOptions(sent);
  checkOptions(options, { event, target_url }, 'options.');
  const loaded = loadedEvent({ event, payload: JSON.stringify(examplePayload(event)), created_at: timestamp(now) });
  const message = { delivery_id: exampleId, event, event_id: exampleId, attempt: 1, trigger: 'event' } as const;
  const request = requestOf({ target_url, api_version, secret: null }, loaded, message, now, 0, options);
  const url = new URL(target_url);
  url.hash = '';
  const body: unknown = JSON.parse(Buffer.from(loaded.build(api_version).bytes).toString());
  return {
    method: 'POST',
    url: url.href,
    ...showRequest(request),
    matched: options.filter === null || matches(options.filter, body),
  };
};

const exampleId = '0'.repeat(24) as DeliveryId;
