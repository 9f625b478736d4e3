/** Reports an event id that is used again for a different event or payload, which is then not delivered. */
import { log } from '../aws/log.ts';
import { count } from '../aws/metrics.ts';
import { type EventBody, isSameEvent, type StoredPayload } from './event.ts';

/** Logs and counts an event whose id belongs to a stored event, unless both are equal. */
export const reportReuse = (
  stored: EventBody,
  { id, event }: { readonly id: string; readonly event: string },
  payload: StoredPayload,
): void => {
  if (isSameEvent(stored, event, payload)) return;
  log.warn('An event id was used again for another event, which is not delivered', { event_id: id });
  count('EventIdsReused');
};
