/** Shows whether a webhook works. */
import type { JSX } from 'preact';
import { type WebhookState as State, stateOf } from '../../../shared/webhooks/state.ts';
import type { Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Badge, type Look } from '../ui/badge.tsx';
import { Check, CircleDashed, Pause, TriangleAlert } from '../ui/icons.ts';

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
