/** How a webhook is printed. */
import { stateOf } from '../../../shared/webhooks/state.ts';
import type { Webhook } from '../api/resources.ts';
import type { Columns } from '../output/print.ts';
import { timeText } from '../output/times.ts';

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
  integration: ({ integration_id }) => integration_id,
  'API version': ({ api_version }) => api_version,
  created: ({ created_at }) => timeText(created_at),
};

/** Whether a webhook is in this state, as the column shows it. */
export const isIn = (webhook: Webhook, state: string): boolean => stateOf(webhook) === state;
