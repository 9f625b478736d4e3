/** Counts from the audit log the webhooks that were deleted since an event: their deliveries are no longer shown. */
import { listAudit } from '../audit/list.ts';
import { auditSources } from '../audit/store.ts';
import type { Caller } from '../foundation/caller.ts';
import { covers } from '../foundation/event-selection.ts';
import { timeOfId, type WebhookId } from '../foundation/ids.ts';

/** As many entries as are read since the event, at most. */
const maxCounted = 1000;

/** Returns how many subscribers that the caller could see were deleted since an event; null for too many entries. */
export const countRemoved = async (
  caller: Caller,
  event: string,
  acceptedAt: number,
  now: number,
): Promise<number | null> => {
  const filter = { actor: undefined, action: 'webhook.deleted', target: undefined } as const;
  const range = { ...filter, since: acceptedAt, until: now + 1 };
  const { entries, next } = await listAudit(auditSources, range, maxCounted, undefined);
  if (next !== null) return null;
  return entries.filter(
    ({ target, changes }) =>
      typeof changes.event?.from === 'string' &&
      covers(changes.event.from, event) &&
      (target.id === null || timeOfId(target.id as WebhookId) <= acceptedAt) &&
      (caller.kind === 'staff' || changes.integration_id?.from === caller.integrationId),
  ).length;
};
