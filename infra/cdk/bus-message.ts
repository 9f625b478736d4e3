/** Converts an event of the EventBridge bus to the message `event` of `shared/events/event.ts`; the only place that does. */

import { withFormat } from '../../shared/foundation/format.ts';

/** The fields of an EventBridge event that the message uses: values, or the placeholders of a rule's input transformer. */
interface BusEvent<Detail> {
  readonly id: string;
  readonly source: string;
  readonly detailType: string;
  /** ISO 8601, to the second. */
  readonly time: string;
  readonly detail: Detail;
}

/** EventBridge's id makes its retries, and any other repetition of the event, harmless. */
export const messageOfBusEvent = <Detail>({ id, source, detailType, time, detail }: BusEvent<Detail>) =>
  withFormat({
    kind: 'event',
    id,
    publisher: `eventbridge:${source}`,
    event: detailType,
    accepted_at: time,
    payload: detail,
  });
