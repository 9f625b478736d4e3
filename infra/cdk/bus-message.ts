/** What becomes of an event of the EventBridge bus: the message `event` of `shared/events/event.ts`, in this one place. */

/** The fields of an EventBridge event that the message is made of: their values, or the placeholders of a rule's input transformer. */
interface BusEvent<Detail> {
  readonly id: string;
  readonly source: string;
  readonly detailType: string;
  /** ISO, in seconds. */
  readonly time: string;
  readonly detail: Detail;
}

/** EventBridge's id makes its own retries harmless, and whatever else brings the same event a second time. */
export const messageOfBusEvent = <Detail>({ id, source, detailType, time, detail }: BusEvent<Detail>) => ({
  kind: 'event',
  id,
  publisher: `eventbridge:${source}`,
  event: detailType,
  accepted_at: time,
  payload: detail,
});
