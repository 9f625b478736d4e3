/** What needs attention, worst first, each with an action: dead letters, Ghost sites, incidents, invitations, … */
import type { JSX } from 'preact';
import { failureOf, incidentsOf } from '../../../shared/incidents/incident.ts';
import type { Directory } from '../api/directory.ts';
import type { Overview } from '../api/overview.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { CircleCheck } from '../ui/icons.ts';
import { Bounced, Dead, Disabled, Failed, type FailedProps, IncidentRow, Silent } from './attention-rows.tsx';

/** The maximum per kind, so that no kind hides the others. */
const maxShown = 5;

interface AttentionProps {
  readonly overview: Pick<Overview, 'relays' | 'bounced' | 'dead_letters' | 'environment'> & {
    readonly directory: Directory;
  };
  /** How many deliveries failed for good in the period, and the query that lists them; undefined if not counted. */
  readonly failed: FailedProps | undefined;
}

export const Attention = ({
  overview: { directory, relays, bounced, dead_letters: dead, environment },
  failed,
}: AttentionProps): JSX.Element | null => {
  const { overview } = useTexts();
  const silent = relays.filter(({ silent_since }) => silent_since !== null);
  const webhooks = [...directory.webhooks.values()];
  const incidents = incidentsOf(webhooks);
  const [firstDisabled, ...others] = webhooks.filter(
    (one) => one.status === 'disabled' && failureOf(one) === undefined,
  );
  const problems =
    dead.length +
    silent.length +
    incidents.length +
    (firstDisabled === undefined ? 0 : 1) +
    bounced.length +
    Math.min(1, failed?.count ?? 0);
  // A stage without webhooks shows the checklist instead.
  if (problems === 0 && webhooks.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="attention">
      <h2 id="attention">{problems === 0 ? overview.attention : overview.problems(problems)}</h2>
      {problems === 0 && (
        <p>
          <span class="status good">
            <Icon of={CircleCheck} /> {overview.fine}
          </span>
        </p>
      )}
      {problems > 0 && (
        <ul class="attention">
          {dead.map((letters) => (
            <Dead key={letters.queue} letters={letters} stage={environment} />
          ))}
          {silent.slice(0, maxShown).map((relay) => (
            <Silent key={relay.integration_id} relay={relay} />
          ))}
          {incidents.slice(0, maxShown).map((incident) => (
            <IncidentRow key={`${incident.cause} ${incident.host}`} incident={incident} />
          ))}
          <More count={incidents.length - maxShown} place={['webhooks']} />
          {firstDisabled !== undefined && <Disabled webhooks={[firstDisabled, ...others]} />}
          {failed !== undefined && failed.count > 0 && <Failed {...failed} />}
          {bounced.slice(0, maxShown).map((invite) => (
            <Bounced key={invite.id} invite={invite} />
          ))}
          <More count={bounced.length - maxShown} place={['staff', 'invitations']} />
        </ul>
      )}
    </section>
  );
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
