/** What needs attention, worst first, each with what it means and the action that helps: dead letters, webhooks, deliveries, invitations. */

import type { ComponentChildren, JSX } from 'preact';
import { stateOf } from '../../../shared/webhooks/state.ts';
import { change, get } from '../api/client.ts';
import type { Counted } from '../api/counted.ts';
import { type Directory, webhookName } from '../api/directory.ts';
import type { DeadLetters, Webhook } from '../api/resources.ts';
import type { Invite } from '../api/staff.ts';
import { linkTo, type Query } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Copy } from '../ui/copy.tsx';
import { countText } from '../ui/counted.ts';
import { Icon } from '../ui/icon.tsx';
import { CircleCheck, type IconNode, MailWarning, OctagonAlert, Pause, TriangleAlert } from '../ui/icons.ts';
import { Problem, Skeleton } from '../ui/states.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { Advice, useTrouble } from './advice.tsx';
import { usePing } from './ping.tsx';

/** Of each kind, so that one kind does not hide the others. */
const maxShown = 5;

const day = 24 * 60 * 60 * 1000;

interface AttentionProps {
  readonly directory: Directory;
  /** Deliveries that ended as failed in the chosen period, and the query of their list; undefined before they are read. */
  readonly failed: (Counted & { readonly query: Query }) | undefined;
}

export const Attention = ({ directory, failed }: AttentionProps): JSX.Element | null => {
  const { overview } = useTexts();
  const invites = useQuery('bounced invites', readBounced, 60_000);
  const deadLetters = useQuery('dead letters', readDeadLetters, 60_000);
  const { data: bounced = [] } = invites;
  const { data: dead } = deadLetters;
  const isRead = invites.data !== undefined && dead !== undefined;
  const webhooks = [...directory.webhooks.values()];
  const disabled = webhooks.filter((webhook) => stateOf(webhook) === 'disabled');
  const failing = webhooks.filter((webhook) => stateOf(webhook) === 'failing');
  const problems =
    (dead?.letters.length ?? 0) +
    disabled.length +
    failing.length +
    bounced.length +
    Math.min(1, failed?.rows.length ?? 0);
  // A stage without webhooks has the checklist.
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
          {failing.slice(0, maxShown).map((webhook) => (
            <Failing key={webhook.id} webhook={webhook} />
          ))}
          <More count={failing.length - maxShown} place={['webhooks']} />
          {disabled.slice(0, maxShown).map((webhook) => (
            <Disabled key={webhook.id} webhook={webhook} />
          ))}
          <More count={disabled.length - maxShown} place={['webhooks']} />
          {failed !== undefined && failed.rows.length > 0 && <Failed {...failed} />}
          {bounced.slice(0, maxShown).map((invite) => (
            <Bounced key={invite.id} invite={invite} />
          ))}
          <More count={bounced.length - maxShown} place={['staff', 'invitations']} />
        </ul>
      )}
      {[invites, deadLetters].map(
        ({ error, reload }, index) => error !== undefined && <Problem key={index} error={error} onRetry={reload} />,
      )}
      {problems === 0 && !isRead && <Skeleton lines={1} />}
    </section>
  );
};

/** The roles that see webhooks see invites too. */
const readBounced = async (signal: AbortSignal): Promise<readonly Invite[]> =>
  (await get<{ invites: Invite[] }>('/admin/invites/', { status: 'bounced', limit: '100' }, signal)).invites;

/** Returns them with the name of the stage, which the command of the operator contains; without any, it is empty. */
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

interface RowProps {
  readonly isBad?: boolean;
  readonly icon: IconNode;
  /** What is wrong. */
  readonly what: string;
  /** What it means, and what to do. */
  readonly help: ComponentChildren;
  /** What helps, beside the row. */
  readonly children: ComponentChildren;
}

const Row = ({ isBad = false, icon, what, help, children }: RowProps): JSX.Element => (
  <li class={isBad ? 'bad' : ''}>
    <div class="what">
      <strong>
        <Icon of={icon} /> {what}
      </strong>
      <div>{help}</div>
    </div>
    {children}
  </li>
);

const Act = ({ label, act }: { readonly label: string; readonly act: () => Promise<unknown> }): JSX.Element => {
  const { run, isRunning, error } = useAction(act);
  return (
    <>
      <wa-button size="s" appearance="outlined" loading={isRunning} onClick={run}>
        {label}
      </wa-button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
};

const Why = ({ of, place }: { readonly of: string; readonly place: string }): JSX.Element => {
  const { overview } = useTexts();
  return (
    <a href={place}>
      {overview.why}
      <span class="unseen">: {of}</span>
    </a>
  );
};

/** An operator moves them back: the API has no right to read or delete messages of these queues. */
const Dead = ({ letters, stage }: { readonly letters: DeadLetters; readonly stage: string }): JSX.Element => {
  const { overview } = useTexts();
  const command = `npm run ops -- redrive --stage ${stage} ${letters.queue}`;
  return (
    <Row
      isBad
      icon={TriangleAlert}
      what={overview.dead(letters.queue, letters.messages)}
      help={
        <>
          {overview.deadHelp} <code>{command}</code>
        </>
      }
    >
      <Copy text={command} label={overview.copyCommand} />
    </Row>
  );
};

const Disabled = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => {
  const { overview, webhooks } = useTexts();
  const path = `/admin/webhooks/${webhook.id}`;
  const act = async (): Promise<void> => {
    await change('POST', `${path}/enable/`);
    const now = Date.now();
    const held = {
      since: new Date(now - 30 * day).toISOString(),
      until: new Date(now + 1000).toISOString(),
      status: 'held',
    };
    await change('POST', `${path}/replays/`, { replays: [held] });
    announce(webhooks.enabled);
  };
  const name = webhookName(webhook);
  const trouble = useTrouble(webhook);
  return (
    <Row isBad icon={Pause} what={overview.disabled(name)} help={<Advice webhook={webhook} trouble={trouble} />}>
      <Why of={name} place={linkTo(['webhooks', webhook.id])} />
      <Act label={overview.enable} act={act} />
    </Row>
  );
};

const Failing = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => {
  const { overview, deliveries } = useTexts();
  const { run, isRunning, result } = usePing(webhook);
  const trouble = useTrouble(webhook);
  const name = webhookName(webhook);
  const status = trouble?.status ?? webhook.last_triggered_status;
  const error = trouble?.error ?? webhook.last_triggered_error;
  const reason = status === null ? deliveries.error(error ?? '') : `HTTP ${status}`;
  return (
    <Row
      isBad
      icon={TriangleAlert}
      what={overview.failing(name, reason)}
      help={
        <>
          <Advice webhook={webhook} trouble={trouble} />
          {result}
        </>
      }
    >
      <Why of={name} place={linkTo(['webhooks', webhook.id])} />
      <wa-button size="s" appearance="outlined" loading={isRunning} onClick={run}>
        {overview.ping}
      </wa-button>
    </Row>
  );
};

const Failed = ({ rows, hasMore, query }: Counted & { readonly query: Query }): JSX.Element => {
  const { overview } = useTexts();
  const { count } = useNumbers();
  return (
    <Row
      icon={OctagonAlert}
      what={overview.failedDeliveries(countText(rows.length, hasMore, count), rows.length)}
      help={overview.failedHelp}
    >
      <wa-button size="s" appearance="outlined" href={linkTo(['deliveries'], query)}>
        {overview.showFailed}
      </wa-button>
    </Row>
  );
};

const Bounced = ({ invite }: { readonly invite: Invite }): JSX.Element => {
  const { overview } = useTexts();
  const act = async (): Promise<void> => {
    await change('POST', `/admin/invites/${invite.id}/resend/`);
    announce(overview.resent);
  };
  return (
    <Row icon={MailWarning} what={overview.bounced(invite.email)} help={overview.bouncedHelp}>
      <Why of={invite.email} place={linkTo(['staff', 'invitations'], { status: 'bounced' })} />
      <Act label={overview.resend} act={act} />
    </Row>
  );
};
