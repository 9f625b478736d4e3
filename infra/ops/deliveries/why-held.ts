/** Why a delivery is held, and how to send it. */
import type { Delivery } from '../api/resources.ts';

/** Returns the reason, and the commands that help. */
export const whyHeld = ({ webhook_id: webhook, created_at, waiting_for }: Delivery): string => {
  const reason =
    waiting_for?.reason === 'throttle'
      ? 'The throttle of its webhook had no place for it within seven days.'
      : `Its webhook was disabled. If it still is, enable it: npm run ops -- webhooks enable ${webhook}.`;
  return `${reason} Then send what was held: npm run ops -- replay ${webhook} --status held --since ${created_at}`;
};
