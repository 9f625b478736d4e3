/** The request and the response of `POST /admin/events/` (docs/compatibility.md, "Publishing events"). */
import * as v from 'valibot';
import { ghostEvents, mastheadEvents } from '../foundation/event-names.ts';
import { isJsonObject } from '../foundation/exact-json.ts';
import { jsonObject, maxChars, requestItem, text } from '../foundation/fields.ts';
import { field, type Resource, resource, timeSchema } from '../foundation/resource.ts';
import type { Settings } from '../foundation/settings.ts';
import { eventName, resourceOf } from './catalogue.ts';
import type { Payload } from './payload.ts';

export const eventResource = resource('Event', {
  id: field(
    v.string(),
    'The id of the event, unique per publisher. An event that is sent again with the same id within 30 days is not ' +
      'delivered again. Generated if omitted; at most 64 characters, no dots.',
    'post-6748-published',
  ),
  event: field(v.string(), 'The name of the event, which webhooks subscribe to.', 'post.published'),
  created_at: field(timeSchema, 'When the event was accepted.'),
});

export type EventResource = Resource<typeof eventResource>;

/** Returns the schema of an event to publish. Of the payload it checks the key, `current` and `previous`. */
export const newEvent = ({ ownEvents }: Pick<Settings, 'ownEvents'>) =>
  v.pipe(
    requestItem('NewEvent', {
      id: v.optional(
        v.pipe(
          text,
          v.minLength(1, 'must not be empty.'),
          maxChars(64),
          v.regex(/^[^.]*$/, 'must not contain dots.'),
          v.check((id) => id.isWellFormed(), 'must not have half of a surrogate pair.'),
        ),
      ),
      event: eventName([...ghostEvents, ...ownEvents], 'cannot be published', mastheadEvents),
      payload: jsonObject,
    }),
    v.rawTransform(({ dataset, addIssue }) => {
      const { id, event, payload } = dataset.value;
      const read = readPayload(event, payload);
      if (!read.ok)
        addIssue({
          expected: read.rule,
          message: read.message,
          path: [{ type: 'object', origin: 'value', input: dataset.value, key: 'payload', value: payload }],
          input: payload,
        });
      return { id, event, payload: read.ok ? read.payload : {} };
    }),
  );

export type NewEvent = v.InferOutput<ReturnType<typeof newEvent>>;

type Read =
  | { readonly ok: true; readonly payload: Payload }
  | { readonly ok: false; readonly rule: string; readonly message: string };

/** Returns the payload of an event with both parts and nothing else, or the violated rule. */
export const readPayload = (event: string, payload: Payload): Read => {
  const resource = resourceOf(event);
  if (resource === undefined) return { ok: true, payload: {} };
  const shape = `{"${resource}": {"current": {…}, "previous": {…}}}`;
  if (!Object.hasOwn(payload, resource))
    return { ok: false, rule: 'resource_key', message: `payload must have the key \`${resource}\`: ${shape}.` };
  const parts = payload[resource];
  if (isJsonObject(parts)) {
    const { current = {}, previous = {} } = parts;
    if (isJsonObject(current) && isJsonObject(previous))
      return { ok: true, payload: { [resource]: { current, previous } } };
  }
  return { ok: false, rule: 'parts', message: `payload must be ${shape}; both parts must be objects.` };
};
