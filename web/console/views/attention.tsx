/** What needs attention, worst first, each with the action that helps: webhooks that are disabled or fail, invitations that bounced. */
import { CircleCheck, MailWarning, Pause, X } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { change, get } from '../api/client.ts';
import { type Directory, webhookName } from '../api/directory.ts';
import type { Webhook } from '../api/resources.ts';
import { goTo, linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/states.tsx';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { stateOf } from './webhook-state.tsx';

/** Of each kind, so that one kind does not hide the others. */
const maxShown = 5;

const day = 24 * 60 * 60 * 1000;

interface BouncedInvite {
  readonly id: string;
  readonly email: string;
}

interface AttentionProps {
  readonly directory: Directory;
  /** Deliveries that ended as failed, in the chosen period. */
  readonly failed: number;
}

export const Attention = ({ directory, failed }: AttentionProps): JSX.Element => {
  const { overview, webhooks: texts } = useTexts();
  const { data: bounced = [] } = useQuery('bounced invites', readBounced, 60_000);
  const webhooks = [...directory.webhooks.values()];
  const disabled = webhooks.filter((webhook) => stateOf(webhook) === 'disabled');
  const failing = webhooks.filter((webhook) => stateOf(webhook) === 'failing');
  if (webhooks.length === 0)
    return (
      <>
        <p>
          <strong>{overview.start}</strong> {overview.startHelp}
        </p>
        <div class="actions">
          <wa-button variant="brand" size="s" href={linkTo(['webhooks', 'new'])}>
            {texts.create}
          </wa-button>
        </div>
      </>
    );
  if (disabled.length + failing.length + bounced.length + failed === 0)
    return (
      <p>
        <span class="status good">
          <Icon of={CircleCheck} /> {overview.fine}
        </span>
      </p>
    );
  return (
    <ul class="attention">
      {disabled.slice(0, maxShown).map((webhook) => (
        <Disabled key={webhook.id} webhook={webhook} />
      ))}
      <More count={disabled.length - maxShown} />
      {failing.slice(0, maxShown).map((webhook) => (
        <Failing key={webhook.id} webhook={webhook} />
      ))}
      <More count={failing.length - maxShown} />
      {bounced.slice(0, maxShown).map((invite) => (
        <Bounced key={invite.id} invite={invite} />
      ))}
      <More count={bounced.length - maxShown} />
      {failed > 0 && (
        <li>
          <span>
            <Icon of={X} /> {overview.failedDeliveries(failed)}
          </span>
          <a href={linkTo(['deliveries'], { status: 'failed' })}>{overview.showFailed}</a>
        </li>
      )}
    </ul>
  );
};

/** The roles that see webhooks see invites too. */
const readBounced = async (signal: AbortSignal): Promise<readonly BouncedInvite[]> =>
  (await get<{ invites: readonly BouncedInvite[] }>('/admin/invites/', { status: 'bounced', limit: '100' }, signal))
    .invites;

const More = ({ count }: { readonly count: number }): JSX.Element | null => {
  const { overview } = useTexts();
  return count > 0 ? (
    <li>
      <a href={linkTo(['webhooks'])}>{overview.more(count)}</a>
    </li>
  ) : null;
};

interface RowProps {
  readonly isBad?: boolean;
  readonly what: ComponentChildren;
  readonly action: string;
  readonly act: () => Promise<unknown>;
  readonly children?: ComponentChildren;
}

const Row = ({ isBad = false, what, action, act, children }: RowProps): JSX.Element => {
  const { run, isRunning, error } = useAction(act);
  return (
    <li class={isBad ? 'bad' : ''}>
      <span>{what}</span>
      {children}
      <wa-button size="s" loading={isRunning} onClick={run}>
        {action}
      </wa-button>
      {error !== undefined && <Problem error={error} />}
    </li>
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
  return (
    <Row
      isBad
      what={
        <>
          <Icon of={Pause} /> {overview.disabled(name)}
        </>
      }
      action={overview.enable}
      act={act}
    >
      <a href={linkTo(['webhooks', webhook.id])}>
        {overview.why}
        <span class="unseen">: {name}</span>
      </a>
    </Row>
  );
};

const Failing = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => {
  const { overview, deliveries } = useTexts();
  const act = async (): Promise<void> => {
    const answer = await change<{ deliveries: [{ id: string }] }>('POST', `/admin/webhooks/${webhook.id}/ping/`);
    goTo(['deliveries', webhook.id, answer.deliveries[0].id]);
  };
  const name = webhookName(webhook);
  const { last_triggered_status: status, last_triggered_error: error } = webhook;
  const reason = status === null ? deliveries.error(error ?? '') : `HTTP ${status}`;
  return (
    <Row
      what={
        <>
          <Icon of={X} /> {overview.failing(name)} <span class="quiet">{reason}</span>
        </>
      }
      action={overview.ping}
      act={act}
    >
      <a href={linkTo(['deliveries'], { webhook: webhook.id })}>
        {overview.why}
        <span class="unseen">: {name}</span>
      </a>
    </Row>
  );
};

const Bounced = ({ invite }: { readonly invite: BouncedInvite }): JSX.Element => {
  const { overview } = useTexts();
  const act = async (): Promise<void> => {
    await change('POST', `/admin/invites/${invite.id}/resend/`);
    announce(overview.resent);
  };
  return (
    <Row
      what={
        <>
          <Icon of={MailWarning} /> {overview.bounced(invite.email)}
        </>
      }
      action={overview.resend}
      act={act}
    />
  );
};
