/** Shows the state of an invitation: an icon, a colour and a word. */
import { Check, CircleSlash, Clock, Hourglass, type IconNode, MailCheck, MailX, Replace, ShieldAlert } from 'lucide';
import type { JSX } from 'preact';
import type { InviteState } from '../api/staff.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from './icon.tsx';
import type { Tone } from './status.tsx';

const looks: Readonly<Record<InviteState, { readonly icon: IconNode; readonly tone: Tone }>> = {
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
  const { icon, tone } = looks[state];
  return (
    <span class={`status ${tone}`}>
      <Icon of={icon} />
      {staff.states[state]}
    </span>
  );
};
