/** Leads a new stage from its first webhook to its first delivery and invitation, and then disappears. */

import type { JSX } from 'preact';
import { ghostEvents } from '../../../shared/foundation/event-names.ts';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import { stateOf } from '../../../shared/webhooks/state.ts';
import { change, get } from '../api/client.ts';
import type { Directory } from '../api/directory.ts';
import type { Delivery, Page, User, Webhook } from '../api/resources.ts';
import { readMembers } from '../api/staff.ts';
import { linkTo } from '../router.ts';
import { useMember } from '../session.ts';
import { createStore, useStore } from '../store.ts';
import { type Texts, useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Icon } from '../ui/icon.tsx';
import { Circle, CircleCheck, Send } from '../ui/icons.ts';
import { Problem } from '../ui/states.tsx';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

interface Done {
  /** A delivery that succeeded. */
  readonly delivered: Delivery | undefined;
  readonly invited: boolean;
}

/** Colleagues who joined before count as invited, because old invitations are deleted. */
const hasColleague = (members: readonly User[], self: User): boolean =>
  members.some(({ id, last_seen }) => id !== self.id && last_seen !== null);

const readDone = async (self: User, signal: AbortSignal): Promise<Done> => {
  const first = { limit: '1' };
  const [delivered, invited, members] = await Promise.all([
    get<{ deliveries: Delivery[] }>('/admin/deliveries/', { ...first, status: 'delivered' }, signal),
    get<Page & { invites: unknown[] }>('/admin/invites/', first, signal),
    readMembers(undefined, signal),
  ]);
  return {
    delivered: delivered.deliveries[0],
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

/** What was looked at in this tab: no request tells. */
const seen = createStore<readonly string[]>([]);

const Steps = ({ self, directory }: StepsProps): JSX.Element | null => {
  const { overview } = useTexts();
  const { data } = useQuery('checklist', (signal) => readDone(self, signal), 5000);
  const looked = useStore(seen);
  const webhooks = [...directory.webhooks.values()];
  const hasWebhook = webhooks.length > 0;
  const { delivered, invited = false } = data ?? {};
  // A delivery is deleted with its webhook, or when it expires. A webhook that works has had one.
  const isDelivered = delivered !== undefined || webhooks.some((webhook) => stateOf(webhook) === 'available');
  if (hasWebhook && isDelivered && invited) return null;
  // While nothing was delivered, the steps are shown at once: nothing below moves when the rest is known.
  if (data === undefined && isDelivered) return null;
  const [one] = webhooks;
  const ofWebhook = one === undefined ? ['webhooks', 'new'] : ['webhooks', one.id];
  const steps: readonly Step[] = [
    { name: 'webhook', isDone: hasWebhook || isDelivered, place: ['webhooks', 'new'] },
    { name: 'event', isDone: isDelivered, place: ofWebhook },
    {
      name: 'delivery',
      isDone: isDelivered && looked.includes('delivery'),
      place: delivered === undefined ? ['deliveries'] : ['deliveries', delivered.webhook_id, delivered.id],
    },
    { name: 'verify', isDone: looked.includes('verify'), place: ofWebhook },
    { name: 'invitation', isDone: invited, place: ['staff', 'invitations', 'new'] },
  ];
  const next = steps.find(({ isDone }) => !isDone)?.name;
  return (
    <section class="panel" aria-labelledby="checklist">
      <h2 id="checklist">{overview.start}</h2>
      <ol class="steps">
        {steps.map(({ name, isDone, place }) => (
          <li key={name} class={isDone ? 'done' : ''}>
            <Icon of={isDone ? CircleCheck : Circle} />
            <span class="step">
              {isDone ? (
                <span>
                  {overview.steps[name]} <span class="unseen">({overview.stepDone})</span>
                </span>
              ) : (
                <a
                  href={linkTo(place)}
                  onClick={() => seen.set([...looked, name])}
                  {...(name === next && { 'aria-current': 'step' as const })}
                >
                  {overview.steps[name]}
                </a>
              )}
              {name === next && <span class="quiet">{overview.stepHelp[name]}</span>}
              {name === next && name === 'event' && one !== undefined && <PublishExample webhook={one} />}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};

interface Step {
  readonly name: keyof Texts['overview']['steps'];
  readonly isDone: boolean;
  readonly place: readonly string[];
}

/** Publishes an example of an event that a webhook gets. */
const PublishExample = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => {
  const { overview } = useTexts();
  const event = eventsIn(webhook.event, []).find((name) => ghostEvents.includes(name)) ?? 'post.published';
  const { run, isRunning, error } = useAction(async () => {
    const { eventExamples } = await import('../../../shared/events/examples.ts');
    const item = { event, payload: eventExamples[event]?.payload ?? {} };
    await change('POST', '/admin/events/', { events: [item] });
    announce(overview.published(event));
  });
  return (
    <>
      <span>
        <wa-button size="s" variant="brand" loading={isRunning} onClick={run}>
          <Icon of={Send} slot="start" />
          {overview.publish(event)}
        </wa-button>
      </span>
      {error !== undefined && <Problem error={error} />}
    </>
  );
};
