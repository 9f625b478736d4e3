/** The connected Ghost sites: whether events arrive, what was refused and why, and commands for further facts. */
import type { JSX } from 'preact';
import { ghostCommand, type Relay } from '../api/relays.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Badge, type Look } from '../ui/badge.tsx';
import { Copy } from '../ui/copy.tsx';
import { Check, CircleDashed, TriangleAlert } from '../ui/icons.ts';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';

export const Relays = ({ relays }: { readonly relays: readonly Relay[] }): JSX.Element | null => {
  const texts = useTexts();
  if (relays.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="relays">
      <h2 id="relays">{texts.relays.title}</h2>
      <ul class="cards flat">
        {relays.map((relay) => (
          <li key={relay.integration_id} class="card">
            <Site relay={relay} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const stateOf = ({ last_event_at, silent_since }: Relay): 'arrive' | 'silent' | 'none' => {
  if (silent_since !== null) return 'silent';
  return last_event_at === null ? 'none' : 'arrive';
};

const looks: Readonly<Record<ReturnType<typeof stateOf>, Look>> = {
  arrive: { icon: Check, tone: 'good' },
  silent: { icon: TriangleAlert, tone: 'bad' },
  none: { icon: CircleDashed, tone: 'calm' },
};

const Site = ({ relay }: { readonly relay: Relay }): JSX.Element => {
  const { relays } = useTexts();
  const { count, average } = useNumbers();
  const state = stateOf(relay);
  return (
    <>
      <div class="title">
        <h3>{relay.site}</h3>
        <Badge look={looks[state]} word={relays.states[state]} />
      </div>
      <p>
        {relays.last} <Time at={relay.last_event_at} /> · {relays.perDay(average(relay.events_per_day))}
      </p>
      {relay.refused.map((refused) => (
        <p key={refused.reason} class="mistake">
          {relays.refused(count(refused.count), refused.count === 1, refused.reason)} <Time at={refused.last_at} />
        </p>
      ))}
      <details open={relay.unmoved.length > 0}>
        <summary>{relays.added}</summary>
        {relay.compared_at !== null && (
          <p>
            {relays.asOf} <Time at={relay.compared_at} />:{' '}
            {relay.unmoved.map(({ event, count: webhooks }) => `${event} (${count(webhooks)})`).join(', ') ||
              relays.none}
          </p>
        )}
        <p>{relays.check}</p>
        <Command text={ghostCommand(relay)} label={relays.copyCheck} />
        <p>{relays.move}</p>
        <Command text={ghostCommand(relay, true)} label={relays.copyMove} />
      </details>
    </>
  );
};

const Command = ({ text, label }: { readonly text: string; readonly label: string }): JSX.Element => (
  <div class="title">
    <code>{text}</code>
    <Copy text={text} label={label} />
  </div>
);
