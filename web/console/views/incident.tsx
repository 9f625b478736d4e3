/** An incident: webhooks of one host that fail for one reason, as a row of the overview or the head of their list. */
import type { ComponentChildren, JSX } from 'preact';
import { areDisabled, failureOf, type Incident as IncidentOf } from '../../../shared/incidents/incident.ts';
import { readCounted } from '../api/counted.ts';
import type { DeliveryState, Webhook } from '../api/resources.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';
import { Advice, useTrouble } from './advice.tsx';
import { usePing } from './ping.tsx';
import { openRecovery } from './recovery.tsx';

export type Incident = IncidentOf<Webhook>;

/** The list of webhooks that shows an incident only. */
export const linkToIncident = ({ host, cause }: Pick<Incident, 'host' | 'cause'>): string =>
  linkTo(['webhooks'], { host, cause });

/** Returns the headline of an incident. */
export const useHeadline = (): ((incident: Incident) => string) => {
  const { incidents } = useTexts();
  return (incident) => {
    const { host, cause, webhooks } = incident;
    return incidents.headline({ name: webhooks[0].name, host, count: webhooks.length }, cause, areDisabled(incident));
  };
};

const waitingStates = ['pending', 'retrying', 'held'] as const satisfies DeliveryState[];

/** Returns how many deliveries of these webhooks wait, counted every minute, seldom while nobody touches the page. */
const useWaiting = (
  webhooks: readonly Webhook[],
): { readonly count: number; readonly hasMore: boolean } | undefined => {
  const { data } = useQuery(
    'waiting deliveries',
    (signal) => Promise.all(waitingStates.map((status) => readCounted({ status }, signal))),
    60_000,
    30 * 60_000,
  );
  const ids = new Set<string>(webhooks.map(({ id }) => id));
  return (
    data && {
      count: data.flatMap(({ rows }) => rows).filter(({ webhook_id }) => ids.has(webhook_id)).length,
      hasMore: data.some(({ hasMore }) => hasMore),
    }
  );
};

/** What is wrong with one webhook, with its next attempt and the receiver's answer. */
export const OneFacts = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => (
  <Advice webhook={webhook} trouble={useTrouble(webhook, 60_000)} />
);

/** What an incident means and what to do: the cure, since when, how much waits. */
export const IncidentFacts = ({ incident }: { readonly incident: Incident }): JSX.Element =>
  incident.webhooks.length === 1 ? <OneFacts webhook={incident.webhooks[0]} /> : <ManyFacts incident={incident} />;

const ManyFacts = ({ incident }: { readonly incident: Incident }): JSX.Element => {
  const { advice } = useTexts();
  const { count } = useNumbers();
  const { host, webhooks, since } = incident;
  const waiting = useWaiting(webhooks);
  // A host that is down answers some with 500 and others not at all.
  const causes = [...Map.groupBy(webhooks, (webhook) => failureOf(webhook)?.advice ?? incident.advice)];
  return (
    <div class="advice">
      {causes.map(([cause, own]) => (
        <p key={cause}>
          {causes.length > 1 && `${own.length} × `}
          {advice.for(cause, { host, path: '/…' })}
        </p>
      ))}
      <p class="quiet">
        {advice.began} <Time at={since} />
        {waiting !== undefined && ' · '}
        {waiting !== undefined &&
          (waiting.count === 0
            ? advice.noneWaits
            : advice.waiting(
                countText(waiting.count, waiting.hasMore, count),
                waiting.count === 1 && !waiting.hasMore,
              ))}
      </p>
    </div>
  );
};

interface IncidentActionsProps {
  readonly incident: Incident;
  readonly children?: ComponentChildren;
}

/** A ping to the first of the webhooks, and the recovery of all of them. */
export const IncidentActions = ({ incident, children }: IncidentActionsProps): JSX.Element => {
  const { overview, incidents } = useTexts();
  const { run, isRunning, result } = usePing(incident.webhooks[0]);
  return (
    <>
      {children}
      <wa-button size="s" appearance="outlined" loading={isRunning} onClick={run}>
        {overview.ping}
      </wa-button>
      <wa-button size="s" appearance="outlined" onClick={() => openRecovery(incident)}>
        {incidents.recover}
      </wa-button>
      {result}
    </>
  );
};

/** The head of a list that shows one incident only; undefined: it is over. */
export const IncidentHead = ({ incident }: { readonly incident: Incident | undefined }): JSX.Element => {
  const { incidents, webhooks } = useTexts();
  const headline = useHeadline();
  return (
    <wa-callout variant={incident === undefined ? 'success' : 'danger'}>
      {incident === undefined ? <p>{incidents.over}</p> : <h2>{headline(incident)}</h2>}
      {incident !== undefined && <IncidentFacts incident={incident} />}
      <div class="actions">
        {incident !== undefined && <IncidentActions incident={incident} />}
        <a href={linkTo(['webhooks'])}>{webhooks.all}</a>
      </div>
    </wa-callout>
  );
};
