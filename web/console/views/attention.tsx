/** What needs attention, worst first, each with an explanation and an action: dead letters, silent Ghost sites, incidents, deliveries, invitations. */
import type { JSX } from 'preact';
import { failureOf, incidentsOf } from '../../../shared/incidents/incident.ts';
import { get } from '../api/client.ts';
import type { Counted } from '../api/counted.ts';
import type { Directory } from '../api/directory.ts';
import type { Relay } from '../api/relays.ts';
import type { DeadLetters } from '../api/resources.ts';
import type { Invite } from '../api/staff.ts';
import { linkTo, type Query } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { CircleCheck } from '../ui/icons.ts';
import { Problem, Skeleton } from '../ui/states.tsx';
import { type QueryState, useQuery } from '../use-query.ts';
import { Bounced, Dead, Disabled, Failed, IncidentRow, Silent } from './attention-rows.tsx';

/** The maximum per kind, so that no kind hides the others. */
const maxShown = 5;

interface AttentionProps {
  readonly directory: Directory;
  /** How many deliveries failed permanently in the chosen period, and the query that lists them; undefined before they are read. */
  readonly failed: (Counted & { readonly query: Query }) | undefined;
  readonly relays: QueryState<readonly Relay[]>;
}

export const Attention = ({ directory, failed, relays }: AttentionProps): JSX.Element | null => {
  const { overview } = useTexts();
  const invites = useQuery('bounced invites', readBounced, 60_000);
  const deadLetters = useQuery('dead letters', readDeadLetters, 60_000);
  const { data: bounced = [] } = invites;
  const { data: dead } = deadLetters;
  const isRead = invites.data !== undefined && dead !== undefined && relays.data !== undefined;
  const silent = (relays.data ?? []).filter(({ silent_since }) => silent_since !== null);
  const webhooks = [...directory.webhooks.values()];
  const incidents = incidentsOf(webhooks);
  const [firstDisabled, ...others] = webhooks.filter(
    (one) => one.status === 'disabled' && failureOf(one) === undefined,
  );
  const problems =
    (dead?.letters.length ?? 0) +
    silent.length +
    incidents.length +
    (firstDisabled === undefined ? 0 : 1) +
    bounced.length +
    Math.min(1, failed?.rows.length ?? 0);
  // A stage without webhooks shows the checklist instead.
  if (problems === 0 && webhooks.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="attention">
      <h2 id="attention">{problems === 0 ? overview.attention : overview.problems(problems)}</h2>
      {problems === 0 && isRead && (
        <p>
          <span class="status good">
            <Icon of={CircleCheck} /> {overview.fine}
          </span>
        </p>
      )}
      {problems > 0 && (
        <ul class="attention">
          {dead?.letters.map((letters) => (
            <Dead key={letters.queue} letters={letters} stage={dead.stage} />
          ))}
          {silent.slice(0, maxShown).map((relay) => (
            <Silent key={relay.integration_id} relay={relay} />
          ))}
          {incidents.slice(0, maxShown).map((incident) => (
            <IncidentRow key={`${incident.cause} ${incident.host}`} incident={incident} />
          ))}
          <More count={incidents.length - maxShown} place={['webhooks']} />
          {firstDisabled !== undefined && <Disabled webhooks={[firstDisabled, ...others]} />}
          {failed !== undefined && failed.rows.length > 0 && <Failed {...failed} />}
          {bounced.slice(0, maxShown).map((invite) => (
            <Bounced key={invite.id} invite={invite} />
          ))}
          <More count={bounced.length - maxShown} place={['staff', 'invitations']} />
        </ul>
      )}
      {[invites, deadLetters, relays].map(
        ({ error, reload }, index) => error !== undefined && <Problem key={index} error={error} onRetry={reload} />,
      )}
      {problems === 0 && !isRead && <Skeleton lines={1} />}
    </section>
  );
};

/** The roles that see webhooks see invites too. */
const readBounced = async (signal: AbortSignal): Promise<readonly Invite[]> =>
  (await get<{ invites: Invite[] }>('/admin/invites/', { status: 'bounced', limit: '100' }, signal)).invites;

/** Returns the dead letters with the name of the stage, which the operator's command needs; without dead letters the name is empty. */
const readDeadLetters = async (
  signal: AbortSignal,
): Promise<{ readonly letters: readonly DeadLetters[]; readonly stage: string }> => {
  const { stats } = await get<{ stats: [{ dead_letters: readonly DeadLetters[] }] }>(
    '/admin/stats/',
    { period: 'hour', include: 'dead_letters' },
    signal,
  );
  const letters = stats[0].dead_letters;
  if (letters.length === 0) return { letters, stage: '' };
  const { config } = await get<{ config: { environment: string } }>('/admin/config/', {}, signal);
  return { letters, stage: config.environment };
};

interface MoreProps {
  readonly count: number;
  readonly place: readonly string[];
}

const More = ({ count, place }: MoreProps): JSX.Element | null => {
  const { overview } = useTexts();
  return count > 0 ? (
    <li>
      <a href={linkTo(place)}>{overview.more(count)}</a>
    </li>
  ) : null;
};
