/** Reads the messages of the events queue. EventBridge sends whole events; this file converts them to messages of the kind `event`. */
import * as v from 'valibot';
import { parseExactly } from '../foundation/exact-json.ts';
import { jsonObject } from '../foundation/fields.ts';
import { withFormat } from '../foundation/format.ts';

/** An event as EventBridge sends it: `source` and `detail-type` are the publisher's, the rest of the envelope is EventBridge's. */
const busEvent = v.object({
  id: v.string(),
  source: v.string(),
  'detail-type': v.string(),
  /** ISO 8601, to the second. */
  time: v.string(),
  detail: jsonObject,
});

type BusEvent = v.InferOutput<typeof busEvent>;

/** EventBridge's id makes its retries, and any other repetition of the event, harmless. */
const messageOfBusEvent = ({ id, source, 'detail-type': event, time, detail }: BusEvent) =>
  withFormat({ kind: 'event', id, publisher: `eventbridge:${source}`, event, accepted_at: time, payload: detail });

/**
 * Parses a message. The rule transforms no event, because AWS does not say that an input transformer escapes quotes: with a quote in its
 * source, an event might choose its publisher or its id.
 * @throws SyntaxError
 */
export const parseEventMessage = (text: string): unknown => {
  const value = parseExactly(text);
  const event = v.safeParse(busEvent, value);
  return event.success ? messageOfBusEvent(event.output) : value;
};
