/** Reports an event id that was used again for another event or payload, which is not delivered. */
import { log } from '../aws/log.ts';
import { count } from '../aws/metrics.ts';
import { type EventBody, isSameEvent, type StoredPayload } from './event.ts';

/** Logs and counts an event whose id a stored event has, unless both are the same. */
export const reportReuse = (
  stored: EventBody,
  { id, event }: { readonly id: string; readonly event: string },
  payload: StoredPayload,
): void => {
  if (isSameEvent(stored, event, payload)) return;
  log.warn('An event id was used again for another event, which is not delivered', { event_id: id });
  count('EventIdsReused');
};
