/** Why a delivery is held, and how to send it. */
import type { Delivery } from '../api/resources.ts';

/** Returns the reason, which is the webhook, or a receiver that was unreachable until the schedule ended, and the commands that help. */
export const whyHeld = ({ webhook_id: webhook, last_error, created_at }: Delivery): string => {
  const reason =
    last_error === 'unreachable'
      ? `its receiver stayed unreachable for the whole schedule. Correct it, then ping the webhook: npm run ops -- webhooks ping ${webhook}.`
      : `its webhook was disabled when the event arrived. If it still is, enable it: npm run ops -- webhooks enable ${webhook}.`;
  return `${reason} Then send what was held: npm run ops -- replay ${webhook} --status held --since ${created_at}`;
};
