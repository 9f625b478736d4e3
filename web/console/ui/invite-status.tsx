/** Shows the state of an invitation. */
import type { JSX } from 'preact';
import type { InviteState } from '../api/staff.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Badge, type Look } from './badge.tsx';
import { Check, CircleSlash, Clock, Hourglass, MailCheck, MailX, Replace, ShieldAlert } from './icons.ts';

const looks: Readonly<Record<InviteState, Look>> = {
  pending: { icon: Clock, tone: 'calm' },
  sent: { icon: MailCheck, tone: 'calm' },
  accepted: { icon: Check, tone: 'good' },
  bounced: { icon: MailX, tone: 'bad' },
  complained: { icon: ShieldAlert, tone: 'bad' },
  expired: { icon: Hourglass, tone: 'warn' },
  revoked: { icon: CircleSlash, tone: 'calm' },
  replaced: { icon: Replace, tone: 'calm' },
};

export const InviteStatus = ({ state }: { readonly state: InviteState }): JSX.Element => {
  const { staff } = useTexts();
  return <Badge look={looks[state]} word={staff.states[state]} />;
};
