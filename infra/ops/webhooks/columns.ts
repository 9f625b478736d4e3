/** How a webhook is printed. */
import { webhookName } from '../../../shared/webhooks/name.ts';
import { stateOf, type WebhookState } from '../../../shared/webhooks/state.ts';
import type { Webhook } from '../api/resources.ts';
import type { Columns } from '../output/print.ts';
import { timeText } from '../output/times.ts';

// Other commands import it from here, because only a few of their files may import from `shared/` (`test/house/imports.test.ts`).
export { webhookName };

/** What the states mean. */
export const states: Readonly<Record<WebhookState, string>> = {
  available: 'the last attempt succeeded',
  failing: 'the last attempt did not succeed',
  disabled: 'it gets nothing: its deliveries are held',
  unused: 'no event has been sent to it yet',
};

const outcome = ({ last_triggered_status: status, last_triggered_error: error }: Webhook): string | null =>
  [status, error].filter((part) => part !== null).join(' ') || null;

export const columns: Columns<Webhook> = {
  id: ({ id }) => id,
  event: ({ event }) => event,
  target: ({ target_url }) => target_url,
  name: ({ name }) => name,
  state: stateOf,
  'last triggered': ({ last_triggered_at }) => timeText(last_triggered_at),
  result: outcome,
};

export const fields: Columns<Webhook> = {
  ...columns,
  state: (webhook) => `${stateOf(webhook)} (${states[stateOf(webhook)]})`,
  integration: ({ integration_id }) => integration_id,
  'API version': ({ api_version }) => api_version,
  created: ({ created_at }) => timeText(created_at),
};

/** Returns the command that sends what was held. A later time could omit a delivery: it may be held for as long as the log is kept. */
export const replayOfHeld = ({ id, created_at }: Webhook): string =>
  `npm run ops -- replay ${id} --status held --since ${created_at.slice(0, 10)}`;

/** Whether a webhook is in this state, as the column shows it. */
export const isIn = (webhook: Webhook, state: string): boolean => stateOf(webhook) === state;
