/** Shows the state of a delivery. */
import type { JSX } from 'preact';
import type { DeliveryState } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Badge, type Look } from './badge.tsx';
import { Ban, Check, CircleSlash, Clock, Hand, OctagonAlert, RotateCw } from './icons.ts';

export const stateLooks: Readonly<Record<DeliveryState, Look>> = {
  pending: { icon: Clock, tone: 'calm' },
  retrying: { icon: RotateCw, tone: 'warn' },
  delivered: { icon: Check, tone: 'good' },
  failed: { icon: OctagonAlert, tone: 'bad' },
  cancelled: { icon: CircleSlash, tone: 'calm' },
  blocked: { icon: Ban, tone: 'bad' },
  held: { icon: Hand, tone: 'warn' },
  superseded: { icon: CircleSlash, tone: 'calm' },
};

export const Status = ({ state }: { readonly state: DeliveryState }): JSX.Element => {
  const { deliveries } = useTexts();
  return <Badge look={stateLooks[state]} word={deliveries.states[state]} help={deliveries.stateHelp[state]} />;
};
