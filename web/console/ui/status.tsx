/** Shows the state of a delivery: an icon, a colour and a word, so that none of them is needed alone. */
import { Ban, Check, CircleSlash, Clock, Hand, type IconNode, RotateCw, X } from 'lucide';
import type { JSX } from 'preact';
import type { DeliveryState } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from './icon.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'calm';

export const stateLooks: Readonly<Record<DeliveryState, { readonly icon: IconNode; readonly tone: Tone }>> = {
  pending: { icon: Clock, tone: 'calm' },
  retrying: { icon: RotateCw, tone: 'warn' },
  delivered: { icon: Check, tone: 'good' },
  failed: { icon: X, tone: 'bad' },
  cancelled: { icon: CircleSlash, tone: 'calm' },
  blocked: { icon: Ban, tone: 'bad' },
  held: { icon: Hand, tone: 'warn' },
};

export const Status = ({ state }: { readonly state: DeliveryState }): JSX.Element => {
  const { deliveries } = useTexts();
  const { icon, tone } = stateLooks[state];
  return (
    <span class={`status ${tone}`} title={deliveries.stateHelp[state]}>
      <Icon of={icon} />
      {deliveries.states[state]}
    </span>
  );
};
