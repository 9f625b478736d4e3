/** Leads a new stage to its first delivery and its first invitation, and disappears when both are done. */

import type { JSX } from 'preact';
import { stateOf } from '../../../shared/webhooks/state.ts';
import { get } from '../api/client.ts';
import type { Directory } from '../api/directory.ts';
import type { Page, User } from '../api/resources.ts';
import { readMembers } from '../api/staff.ts';
import { linkTo } from '../router.ts';
import { useMember } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { Circle, CircleCheck } from '../ui/icons.ts';
import { useQuery } from '../use-query.ts';

interface Done {
  readonly delivered: boolean;
  readonly invited: boolean;
}

/** Colleagues who joined before count as invited, because old invitations are deleted. */
const hasColleague = (members: readonly User[], self: User): boolean =>
  members.some(({ id, last_seen }) => id !== self.id && last_seen !== null);

const readDone = async (self: User, signal: AbortSignal): Promise<Done> => {
  const first = { limit: '1' };
  const [delivered, invited, members] = await Promise.all([
    get<{ deliveries: unknown[] }>('/admin/deliveries/', { ...first, status: 'delivered' }, signal),
    get<Page & { invites: unknown[] }>('/admin/invites/', first, signal),
    readMembers(undefined, signal),
  ]);
  return {
    delivered: delivered.deliveries.length > 0,
    invited: invited.invites.length > 0 || hasColleague(members.items, self),
  };
};

export const Checklist = ({ directory }: { readonly directory: Directory }): JSX.Element | null => {
  const self = useMember();
  return self === undefined ? null : <Steps self={self} directory={directory} />;
};

interface StepsProps {
  readonly self: User;
  readonly directory: Directory;
}

const Steps = ({ self, directory }: StepsProps): JSX.Element | null => {
  const { overview } = useTexts();
  const { data } = useQuery('checklist', (signal) => readDone(self, signal), 5000);
  if (data === undefined) return null;
  const webhooks = [...directory.webhooks.values()];
  const hasWebhook = webhooks.length > 0;
  // A delivery is deleted with its webhook, or when it expires. A webhook that works has had one.
  const isDelivered = data.delivered || webhooks.some((webhook) => stateOf(webhook) === 'available');
  const [one] = webhooks;
  const steps = [
    { text: overview.steps.webhook, isDone: hasWebhook || isDelivered, place: ['webhooks', 'new'] },
    {
      text: overview.steps.delivery,
      isDone: isDelivered,
      place: one === undefined ? ['webhooks', 'new'] : ['webhooks', one.id],
    },
    { text: overview.steps.invitation, isDone: data.invited, place: ['staff', 'invitations', 'new'] },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  if (next < 0) return null;
  return (
    <section class="panel" aria-labelledby="checklist">
      <h2 id="checklist">{overview.start}</h2>
      <ol class="steps">
        {steps.map(({ text, isDone, place }, index) => (
          <li key={text} class={isDone ? 'done' : ''}>
            <Icon of={isDone ? CircleCheck : Circle} />
            {isDone ? (
              <span>
                {text} <span class="unseen">({overview.stepDone})</span>
              </span>
            ) : (
              <a href={linkTo(place)} {...(index === next && { 'aria-current': 'step' as const })}>
                {text}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
