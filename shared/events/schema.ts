/** What publishers may send (wire contract, section 3: `POST /admin/events/`). */
import * as v from 'valibot';
import { maxChars, rule, text } from '../foundation/fields.ts';
import type { Settings } from '../foundation/settings.ts';
import { ghostEvents, nearMatches, resourceOf } from './catalogue.ts';
import type { Payload } from './payload.ts';

/** An event to publish: only its name, its payload's key and that both parts are objects are checked. */
export const newEvent = ({ ownEvents }: Pick<Settings, 'ownEvents'>) => {
  const known = [...ghostEvents, ...ownEvents];
  return v.pipe(
    v.object(
      {
        id: v.optional(
          v.pipe(
            text,
            v.minLength(1, 'must not be empty.'),
            maxChars(64),
            v.regex(/^[^.]*$/, 'must not contain dots.'),
          ),
        ),
        event: v.pipe(
          text,
          maxChars(50),
          rule((name) => {
            if (known.includes(name)) return undefined;
            const near = nearMatches(name, known);
            return {
              rule: 'known_event',
              message: `\`event\` ${JSON.stringify(name)} cannot be published; ${
                near.length > 0 ? `did you mean ${near.join(', ')}?` : `take one of: ${known.join(', ')}.`
              }`,
            };
          }),
        ),
        payload: v.record(v.string('must be a string.'), v.unknown(), 'must be an object.'),
      },
      'must be an object.',
    ),
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
};

export type NewEvent = v.InferOutput<ReturnType<typeof newEvent>>;

/** An object; valibot's record takes arrays too. */
const part = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.unknown()),
);
const parts = v.object({ current: v.optional(part, {}), previous: v.optional(part, {}) });

type Read =
  | { readonly ok: true; readonly payload: Payload }
  | { readonly ok: false; readonly rule: string; readonly message: string };

/** The payload of an event with both of its parts and nothing else; only its key and that both are objects are checked. */
export const readPayload = (event: string, payload: Readonly<Record<string, unknown>>): Read => {
  const resource = resourceOf(event);
  if (resource === undefined) return { ok: true, payload: {} };
  const shape = `{"${resource}": {"current": {…}, "previous": {…}}}`;
  if (!Object.hasOwn(payload, resource))
    return {
      ok: false,
      rule: 'resource_key',
      message: `payload of ${event} must have the key \`${resource}\`: ${shape}.`,
    };
  const read = v.safeParse(parts, payload[resource]);
  return read.success
    ? { ok: true, payload: { [resource]: read.output } }
    : { ok: false, rule: 'parts', message: `payload must be ${shape}, both parts of it objects.` };
};
