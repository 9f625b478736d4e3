/** Whether a webhook works, for people: the console and the command line show the same. Browsers use this file too. */
import type { Resource } from '../foundation/resource.ts';
import type { webhookResource } from './webhook.ts';

type Shown = Pick<Resource<typeof webhookResource>, 'status' | 'last_triggered_at' | 'last_triggered_error'>;

export type WebhookState = 'available' | 'disabled' | 'failing' | 'unused';

/** Returns the state of a webhook. `failing`: its last attempt did not succeed; `unused`: it had none yet. */
export const stateOf = ({ status, last_triggered_at, last_triggered_error }: Shown): WebhookState => {
  if (status === 'disabled') return 'disabled';
  if (last_triggered_at === null) return 'unused';
  return last_triggered_error === null ? 'available' : 'failing';
};
