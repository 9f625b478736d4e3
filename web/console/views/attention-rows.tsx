/** The rows of what needs attention, each with its text and its action. */
import type { ComponentChildren, JSX } from 'preact';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { change } from '../api/client.ts';
import { ghostCommand, type Relay } from '../api/relays.ts';
import type { DeadLetters, Webhook } from '../api/resources.ts';
import type { Invite } from '../api/staff.ts';
import { linkTo, type Query } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Copy } from '../ui/copy.tsx';
import { countText } from '../ui/counted.ts';
import { Icon } from '../ui/icon.tsx';
import { type IconPath, MailWarning, OctagonAlert, Pause, TriangleAlert } from '../ui/icons.ts';
import { Problem } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useAction } from '../use-action.ts';
import { type Incident, IncidentActions, IncidentFacts, linkToIncident, OneFacts, useHeadline } from './incident.tsx';
import { openRecovery } from './recovery.tsx';

interface RowProps {
  readonly isBad?: boolean;
  readonly icon: IconPath;
  readonly what: string;
  readonly help: ComponentChildren;
  /** The action that helps, shown next to the row. */
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

/** An operator has to move them back: the API may neither read nor delete messages of these queues. */
export const Dead = ({ letters, stage }: { readonly letters: DeadLetters; readonly stage: string }): JSX.Element => {
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

export const Silent = ({ relay }: { readonly relay: Relay }): JSX.Element => {
  const { relays } = useTexts();
  const command = ghostCommand(relay);
  return (
    <Row
      isBad
      icon={TriangleAlert}
      what={relays.silent(relay.site)}
      help={
        <>
          {relays.silentSince} <Time at={relay.silent_since} /> · {relays.silentHelp} <code>{command}</code>
        </>
      }
    >
      <Copy text={command} label={relays.copyCheck} />
    </Row>
  );
};

interface DisabledProps {
  readonly webhooks: readonly [Webhook, ...Webhook[]];
}

/** Webhooks that are disabled without an incident. */
export const Disabled = ({ webhooks }: DisabledProps): JSX.Element => {
  const { incidents } = useTexts();
  const [first] = webhooks;
  const isOne = webhooks.length === 1;
  return (
    <Row
      icon={Pause}
      what={incidents.someDisabled(webhooks.length, webhookName(first))}
      help={isOne ? <OneFacts webhook={first} /> : incidents.disabledHelp}
    >
      <a href={isOne ? linkTo(['webhooks', first.id]) : linkTo(['webhooks'], { state: 'disabled' })}>
        {incidents.show}
      </a>
      <wa-button size="s" appearance="outlined" onClick={() => openRecovery({ webhooks })}>
        {incidents.recover}
      </wa-button>
    </Row>
  );
};

export const IncidentRow = ({ incident }: { readonly incident: Incident }): JSX.Element => {
  const headline = useHeadline()(incident);
  return (
    <Row isBad icon={TriangleAlert} what={headline} help={<IncidentFacts incident={incident} />}>
      <IncidentActions incident={incident}>
        <Why of={headline} place={linkToIncident(incident)} />
      </IncidentActions>
    </Row>
  );
};

export interface FailedProps {
  readonly count: number;
  readonly has_more: boolean;
  readonly query: Query;
}

export const Failed = ({ count: found, has_more, query }: FailedProps): JSX.Element => {
  const { overview } = useTexts();
  const { count } = useNumbers();
  return (
    <Row
      icon={OctagonAlert}
      what={overview.failedDeliveries(countText(found, has_more, count), found)}
      help={overview.failedHelp}
    >
      <wa-button size="s" appearance="outlined" href={linkTo(['deliveries'], query)}>
        {overview.showFailed}
      </wa-button>
    </Row>
  );
};

export const Bounced = ({ invite }: { readonly invite: Invite }): JSX.Element => {
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
