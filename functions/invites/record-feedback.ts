/** Fed by EventBridge with what SES says of the stage's mails: notes bounces and complaints at their invites. */
import type { EventBridgeEvent } from 'aws-lambda';
import * as v from 'valibot';
import { log } from '../../shared/aws/log.ts';
import { count, flushMetrics } from '../../shared/aws/metrics.ts';
import { sesEvent, takeFeedback } from '../../shared/invites/feedback.ts';
import { noteFeedback } from '../../shared/invites/store.ts';

/** @throws where the table could not be reached: Lambda tries again, and then the event goes to the dead-letter queue */
export const handler = async (event: EventBridgeEvent<string, unknown>): Promise<void> => {
  const parsed = v.safeParse(sesEvent, event);
  if (!parsed.success) {
    // A mail that is none of an invite, or a kind of event that says nothing: trying again would not change that.
    log.warn('SES has said something that is not understood', {
      event_id: event.id,
      reason: v.summarize(parsed.issues),
    });
    return;
  }
  const change = await takeFeedback({ noteFeedback }, parsed.output);
  if (change !== undefined) count(change.status === 'complained' ? 'MailsComplained' : 'MailsBounced');
  flushMetrics();
};
