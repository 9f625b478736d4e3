/** Shows whether a webhook works. */
import type { JSX } from 'preact';
import type { Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Badge, type Look } from '../ui/badge.tsx';
import { Check, CircleDashed, Pause, TriangleAlert } from '../ui/icons.ts';

type State = 'available' | 'disabled' | 'failing' | 'unused';

/** Returns the state of a webhook; `failing`: its last attempt had no success. */
export const stateOf = ({ status, last_triggered_at, last_triggered_error }: Webhook): State => {
  if (status === 'disabled') return 'disabled';
  if (last_triggered_at === null) return 'unused';
  return last_triggered_error === null ? 'available' : 'failing';
};

const looks: Readonly<Record<State, Look>> = {
  available: { icon: Check, tone: 'good' },
  disabled: { icon: Pause, tone: 'warn' },
  failing: { icon: TriangleAlert, tone: 'bad' },
  unused: { icon: CircleDashed, tone: 'calm' },
};

export const WebhookState = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => {
  const { webhooks } = useTexts();
  const state = stateOf(webhook);
  return <Badge look={looks[state]} word={webhooks.states[state]} />;
};
