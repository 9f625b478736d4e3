/** Receives the feedback of SES through EventBridge: records bounces and complaints on their invites. */
import type { EventBridgeEvent } from 'aws-lambda';
import * as v from 'valibot';
import { log } from '../../shared/aws/log.ts';
import { count, flushMetrics } from '../../shared/aws/metrics.ts';
import { watched } from '../../shared/aws/watched.ts';
import { recordFeedback, sesEvent } from '../../shared/invites/feedback.ts';

/** @throws when the table is not available: Lambda retries, and then the event goes to the dead-letter queue */
export const handler = watched(async (event: EventBridgeEvent<string, unknown>): Promise<void> => {
  const parsed = v.safeParse(sesEvent, event);
  if (!parsed.success) {
    // Not the mail of an invite, or another kind of event: a retry would not help.
    log.warn('An event of SES was ignored', {
      event_id: event.id,
      reason: v.summarize(parsed.issues),
    });
    return;
  }
  const change = await recordFeedback(parsed.output);
  if (change !== undefined) count(change.status === 'complained' ? 'MailsComplained' : 'MailsBounced');
  flushMetrics();
});
