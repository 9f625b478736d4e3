/** The last step of a new webhook: to see something arrive. It is shown until another view is. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import { draftOf } from '../api/options.ts';
import type { Webhook } from '../api/resources.ts';
import { isIndex } from '../api/service.ts';
import { createStore, useStore } from '../store.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { Send } from '../ui/icons.ts';
import { usePing } from './ping.tsx';
import { useOptions } from './webhook-options.tsx';

const created = createStore<string | undefined>(undefined);

export const showLastStep = (webhook: string): void => created.set(webhook);

export const LastStep = ({ webhook }: { readonly webhook: Webhook }): JSX.Element | null => {
  const isCreated = useStore(created) === webhook.id;
  useEffect(() => () => created.set(undefined), []);
  return isCreated ? <Step webhook={webhook} /> : null;
};

const Step = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => {
  const { webhooks } = useTexts();
  const { data } = useOptions(webhook.id);
  // An example would get into the index.
  const isSafe = data === undefined || !isIndex(draftOf(data).type);
  const [event = ''] = eventsIn(webhook.event, []);
  const { run, isRunning, result } = usePing(webhook, isSafe ? event : undefined);
  return (
    <section class="panel" aria-labelledby="last-step">
      <h2 id="last-step">{webhooks.lastStep}</h2>
      <p>{isSafe ? webhooks.exampleHelp(event) : webhooks.emptyListHelp}</p>
      <div class="actions">
        <wa-button variant="brand" loading={isRunning} disabled={data === undefined} onClick={run}>
          <Icon of={Send} slot="start" />
          {isSafe ? webhooks.sendExample : webhooks.testConnection}
        </wa-button>
        {result}
      </div>
    </section>
  );
};
