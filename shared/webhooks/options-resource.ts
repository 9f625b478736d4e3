/** The options of a webhook: the fields that clients see, and the form in which they are stored. */
import * as v from 'valibot';
import type { Filter } from '../formats/filter.ts';
import type { Format } from '../formats/preset.ts';
import { emptyAsNull, maxChars, objectOf, text } from '../foundation/fields.ts';
import { field, type Resource, resource } from '../foundation/resource.ts';

const wholeNumber = (max: number) => {
  const message = `must be a whole number from 1 to ${max}.`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(max, message));
};

const debounceSchema = objectOf({
  seconds: field(wholeNumber(3600), 'How long nothing must follow an event before it is delivered.', 60),
  max_seconds: field(
    wholeNumber(86_400),
    'The longest time from the first event of a burst to its delivery, however long others follow; at least `seconds`.',
    600,
  ),
  per: field(
    v.optional(v.picklist(['webhook', 'resource'], 'must be `webhook` or `resource`.'), 'webhook'),
    'What has a burst of its own: the webhook with all its events, or each post, page, tag or member.',
  ),
});

/** When the last event of a burst is delivered. */
export type Debounce = v.InferOutput<typeof debounceSchema>;

const throttleSchema = objectOf({
  requests: field(wholeNumber(100), 'How many.', 30),
  per: field(v.picklist(['second', 'minute'], 'must be `second` or `minute`.'), 'In any of these.', 'minute'),
});

/** The most requests in any second or minute. */
export type Throttle = v.InferOutput<typeof throttleSchema>;

export const optionsResource = resource('Options', {
  description: field(
    v.pipe(v.nullable(v.pipe(text, maxChars(500))), emptyAsNull),
    'A description for people.',
    'Tells the news desk about new posts',
  ),
  headers: field(
    v.record(v.string(), v.null()),
    'Headers added to each request; their values are secrets, and not returned.',
  ),
  format: field(
    v.record(v.string(), v.unknown()),
    'The form of the request, with its settings; secrets are null. `ghost` is the usual form.',
  ),
  filter: field(
    v.nullable(v.record(v.string(), v.unknown())),
    'An event pattern: only events that match are delivered. `$not` excludes, such as `{"post": {"current": ' +
      '{"$not": {"tags": {"slug": ["news"]}}}}}`: `anything-but` matches a list that has any other member. ' +
      'An event that would need more than 50,000 comparisons is delivered unfiltered. Null delivers all.',
  ),
  debounce: field(
    v.nullable(debounceSchema),
    'Of a burst of events, only the last is delivered; the others are `superseded`. Null delivers all.',
  ),
  throttle: field(
    v.nullable(throttleSchema),
    'At most so many requests, whatever causes them; more wait. Null for no limit.',
  ),
  left_out: field(
    v.pipe(v.number(), v.integer()),
    'About how many events the filter has left out since the options last changed; one that is processed twice ' +
      'counts twice. Cannot be set.',
  ),
});

export type OptionsResource = Resource<typeof optionsResource>;

/** The options as they are stored. */
export interface Options {
  readonly description: string | null;
  /** By name, in the order in which they are sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly format: Format;
  readonly filter: Filter | null;
  readonly debounce: Debounce | null;
  readonly throttle: Throttle | null;
}

export const noOptions: Options = {
  description: null,
  headers: {},
  format: { type: 'ghost' },
  filter: null,
  debounce: null,
  throttle: null,
};

/** Whether receivers of a format verify a signature: services with a format of their own do not. */
export const isSigned = ({ type }: Pick<Format, 'type'>): boolean => type === 'ghost' || type === 'template';

/** Returns whether a webhook with these options behaves like one without. */
export const isDefault = ({ description, headers, format, filter, debounce, throttle }: Options): boolean =>
  description === null &&
  Object.keys(headers).length === 0 &&
  format.type === 'ghost' &&
  filter === null &&
  debounce === null &&
  throttle === null;
