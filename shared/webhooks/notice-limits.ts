/** Limits on notices: each one mails all Owners and Administrators, and an integration can cause notices as often as it likes. */
import { log } from '../aws/log.ts';
import { day } from '../foundation/clock.ts';
import { takeAll } from '../limits/store.ts';
import type { Webhook } from './webhook.ts';

const ofWebhook = { limit: 3, windowMs: day };
const ofIntegration = { limit: 20, windowMs: day };

/** Takes one notice of a webhook; returns false beyond the limits. @throws ServiceUnavailableError after lost races */
export const takeNotice = async (
  { id, integration_id }: Pick<Webhook, 'id' | 'integration_id'>,
  now: number,
): Promise<boolean> => {
  const refused = await takeAll(
    [
      { name: `notices of ${id}`, count: 1, window: ofWebhook },
      { name: `notices of integration ${integration_id}`, count: 1, window: ofIntegration },
    ],
    now,
  );
  if (refused.length > 0) log.warn('A notice is not mailed: too many today', { webhook_id: id, integration_id });
  return refused.length === 0;
};
