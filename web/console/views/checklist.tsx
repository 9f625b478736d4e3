/** Leads a new stage from its first webhook to its first delivery and invitation, and then disappears. */

import type { JSX } from 'preact';
import { ghostEvents } from '../../../shared/foundation/event-names.ts';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import { change } from '../api/client.ts';
import type { Webhook } from '../api/resources.ts';
import { linkTo } from '../router.ts';
import { createStore, useStore } from '../store.ts';
import { type Texts, useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Icon } from '../ui/icon.tsx';
import { Circle, CircleCheck, Send } from '../ui/icons.ts';
import { Problem } from '../ui/states.tsx';
import { useAction } from '../use-action.ts';

/** What was looked at in this tab: no request tells. */
const seen = createStore<readonly string[]>([]);

interface ChecklistProps {
  readonly webhooks: readonly Webhook[];
  /** Whether somebody was. */
  readonly invited: boolean;
}

export const Checklist = ({ webhooks, invited }: ChecklistProps): JSX.Element | null => {
  const { overview } = useTexts();
  const looked = useStore(seen);
  const used = webhooks.find(({ last_triggered_at }) => last_triggered_at !== null);
  if (used !== undefined && invited) return null;
  const one = used ?? webhooks[0];
  const ofWebhook = one === undefined ? ['webhooks', 'new'] : ['webhooks', one.id];
  const steps: readonly Step[] = [
    { name: 'webhook', isDone: one !== undefined, place: ofWebhook },
    { name: 'event', isDone: used !== undefined, place: ofWebhook },
    { name: 'delivery', isDone: used !== undefined && looked.includes('delivery'), place: ofWebhook },
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
