/** Reads the messages of the events queue, and converts EventBridge's events to messages of the kind `event`. */
import * as v from 'valibot';
import { settings } from '../foundation/environment.ts';
import { ghostEvents } from '../foundation/event-names.ts';
import { parseExactly } from '../foundation/exact-json.ts';
import { jsonObject } from '../foundation/fields.ts';
import { FormatError, withFormat } from '../foundation/format.ts';
import { readTraceparent } from './trace.ts';

/** An event of EventBridge: `source`, `detail-type` and `detail` are the publisher's, the rest is EventBridge's. */
const busEvent = v.object({
  id: v.string(),
  account: v.string(),
  source: v.string(),
  'detail-type': v.string(),
  /** ISO 8601, to the second. */
  time: v.string(),
  detail: jsonObject,
});

type BusEvent = v.InferOutput<typeof busEvent>;

/** Whoever may put events on the bus may publish these, and none of Masthead's own: receivers rely on those. */
const isPublishable = (event: string): boolean => [...ghostEvents, ...settings().ownEvents].includes(event);

/** A source is what its account says, so no account publishes in the name of another one. */
const publisherOfBus = (account: string, source: string): string => `eventbridge:${account}:${source}`;

/** EventBridge's id makes its retries, and any other repetition of the event, harmless. */
const messageOfBusEvent = ({ id, account, source, 'detail-type': event, time, detail }: BusEvent) => {
  const { traceparent: sent, ...payload } = detail;
  return withFormat({
    kind: 'event',
    id,
    publisher: publisherOfBus(account, source),
    event,
    accepted_at: time,
    payload,
    traceparent: readTraceparent(sent),
  });
};

/**
 * Parses a message. The rule has no input transformer, as AWS does not say that one escapes quotes: with a quote in its
 * source, an event might choose its publisher or its id.
 * @throws SyntaxError, FormatError for an event that nobody may publish: the message becomes a dead letter
 */
export const parseEventMessage = (text: string): unknown => {
  const value = parseExactly(text);
  const event = v.safeParse(busEvent, value);
  if (!event.success) return value;
  const { id, account, source, 'detail-type': name } = event.output;
  if (!isPublishable(name))
    throw new FormatError(
      `The event ${id} of ${publisherOfBus(account, source)} is not delivered: \`${name}\` cannot be published`,
    );
  return messageOfBusEvent(event.output);
};
