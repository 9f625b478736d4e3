/** Reads the messages of the events queue, and converts EventBridge's events to messages of the kind `event`. */
import * as v from 'valibot';
import { settings } from '../foundation/environment.ts';
import { ghostEvents } from '../foundation/event-names.ts';
import { parseExactly } from '../foundation/exact-json.ts';
import { jsonObject } from '../foundation/fields.ts';
import { FormatError, withFormat } from '../foundation/format.ts';
import { readPayload } from './schema.ts';
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

/**
 * Converts an event, whose payload the bus has not checked: only the endpoint for Ghost sites makes relayed ones.
 * EventBridge's id makes its retries, and any other repetition of the event, harmless. @throws FormatError
 */
const messageOfBusEvent = ({ id, account, source, 'detail-type': event, time, detail }: BusEvent) => {
  const publisher = publisherOfBus(account, source);
  const refused = (reason: string): Error =>
    new FormatError(`The event ${id} of ${publisher} is not delivered: ${reason}`);
  if (!isPublishable(event)) throw refused(`\`${event}\` cannot be published`);
  const { traceparent: sent, ...payload } = detail;
  const read = readPayload(event, payload);
  if (!read.ok) throw refused(read.message);
  return withFormat({
    kind: 'event',
    id,
    publisher,
    event,
    accepted_at: time,
    payload: read.payload,
    traceparent: readTraceparent(sent),
  });
};

/**
 * Parses a message. The rule has no input transformer, as AWS does not say that one escapes quotes: with a quote in its
 * source, an event might choose its publisher or its id.
 * @throws SyntaxError, FormatError for an event that the API would refuse: the message becomes a dead letter
 */
export const parseEventMessage = (text: string): unknown => {
  const value = parseExactly(text);
  const event = v.safeParse(busEvent, value);
  return event.success ? messageOfBusEvent(event.output) : value;
};
