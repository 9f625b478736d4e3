/** One webhook: whether it works, its actions, and how its receiver verifies deliveries. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { stateOf } from '../../../shared/webhooks/state.ts';
import { change, deleteResource } from '../api/client.ts';
import type { Directory } from '../api/directory.ts';
import { draftOf, type Options } from '../api/options.ts';
import type { Webhook } from '../api/resources.ts';
import { isIndex } from '../api/service.ts';
import { linkTo, replaceWith } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { EventNames } from '../ui/event-names.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyRound, Pause, Pencil, Play, Radio, RotateCw, Send, Trash2 } from '../ui/icons.ts';
import { type MenuItem, RowMenu } from '../ui/row-menu.tsx';
import { Problem } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';
import { Advice, useTrouble } from './advice.tsx';
import { OptionsTrial, useTrial } from './options-trial.tsx';
import { usePing } from './ping.tsx';
import { openRecovery } from './recovery.tsx';
import { SecretOnce, showOnce } from './secret.tsx';
import { Snippet } from './snippet.tsx';
import { WebhookLog } from './webhook-log.tsx';
import { OptionsFacts, useOptions } from './webhook-options.tsx';
import { WebhookState } from './webhook-state.tsx';

interface OneWebhookProps {
  readonly id: string;
  readonly directory: Directory;
}

export const OneWebhook = ({ id, directory }: OneWebhookProps): JSX.Element => {
  const { frame, webhooks } = useTexts();
  const webhook = directory.webhooks.get(id);
  const integration = directory.integrations.find((one) => one.id === webhook?.integration_id);
  return (
    <>
      <BackLink to={['webhooks']} label={frame.views.webhooks} />
      {webhook === undefined ? (
        <>
          <h1>{webhooks.unknown}</h1>
          <p>{webhooks.unknownHelp}</p>
        </>
      ) : (
        <Details webhook={webhook} integration={integration?.name ?? ''} />
      )}
    </>
  );
};

type Open = 'rotate' | 'disable' | 'replay' | 'delete';

interface DetailsProps {
  readonly webhook: Webhook;
  readonly integration: string;
}

const Details = ({ webhook, integration }: DetailsProps): JSX.Element => {
  const { webhooks } = useTexts();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const description = useDescription(webhook);
  const options = useOptions(webhook.id).data;
  return (
    <>
      <div class="title">
        <h1>{webhookName(webhook)}</h1>
        <WebhookState webhook={webhook} />
        {stateOf(webhook) === 'unused' && <small class="quiet">{webhooks.unusedHint}</small>}
      </div>
      <Attention webhook={webhook} />
      <SecretOnce webhook={webhook.id} />
      <Actions
        webhook={webhook}
        options={options}
        onOpen={(what) => (what === 'replay' ? openRecovery({ webhooks: [webhook] }) : setOpen(what))}
      />
      <WebhookLog webhook={webhook}>
        {options !== undefined && options.filter !== null && <LeftOut webhook={webhook} options={options} />}
        <dl class="panel facts">
          {description.map(({ term, value }) => (
            <>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </>
          ))}
          {options !== undefined && <OptionsFacts options={options} />}
          <dt>{webhooks.integration}</dt>
          <dd>{integration}</dd>
          <dt>{webhooks.created}</dt>
          <dd>
            <Time at={webhook.created_at} />
          </dd>
        </dl>
        <Snippet />
      </WebhookLog>
      <Confirmations webhook={webhook} open={open} onClose={close} />
    </>
  );
};

const useDescription = (webhook: Webhook): readonly { readonly term: string; readonly value: JSX.Element }[] => {
  const { webhooks } = useTexts();
  return [
    { term: webhooks.target, value: <code>{webhook.target_url}</code> },
    { term: webhooks.event, value: <EventNames of={webhook.event} /> },
    { term: webhooks.version, value: <code>{webhook.api_version}</code> },
    { term: webhooks.id, value: <code>{webhook.id}</code> },
  ];
};

/** What waits grows while the receiver fails; it takes several requests to read. */
const troubleEveryMs = 60_000;

const Attention = ({ webhook }: { readonly webhook: Webhook }): JSX.Element | null => {
  const { webhooks, deliveries } = useTexts();
  const { last_triggered_status: status, last_triggered_error: error } = webhook;
  const trouble = useTrouble(webhook, troubleEveryMs);
  const enable = useAction(async () => {
    await change('POST', `/admin/webhooks/${webhook.id}/enable/`);
    announce(webhooks.enabled);
  });
  const state = stateOf(webhook);
  if (state === 'disabled')
    return (
      <wa-callout variant="warning">
        <strong>{webhooks.disabledTitle}</strong>
        <Advice webhook={webhook} trouble={trouble} />
        <div class="actions">
          <wa-button size="s" variant="brand" loading={enable.isRunning} onClick={enable.run}>
            <Icon of={Play} slot="start" />
            {webhooks.enable}
          </wa-button>
        </div>
        {enable.error !== undefined && <Problem error={enable.error} />}
      </wa-callout>
    );
  if (state === 'failing')
    return (
      <wa-callout variant="danger">
        <strong>{webhooks.failingTitle(status === null ? deliveries.error(error ?? '') : `HTTP ${status}`)}</strong>
        <Advice webhook={webhook} trouble={trouble} />
      </wa-callout>
    );
  return null;
};

interface LeftOutProps {
  readonly webhook: Webhook;
  readonly options: Options;
}

/** Which of the newest events the filter leaves out: the first question of who got nothing. */
const LeftOut = ({ webhook, options }: LeftOutProps): JSX.Element => (
  <OptionsTrial trial={useTrial(webhook.id, draftOf(options))} />
);

interface ActionsProps {
  readonly webhook: Webhook;
  /** Undefined until they are read. */
  readonly options: Options | undefined;
  readonly onOpen: (what: Open) => void;
}

/** Frequent actions have buttons; the others are in a menu, so that a single row suffices on a phone. */
const Actions = ({ webhook, options, onOpen }: ActionsProps): JSX.Element => {
  const { frame, webhooks } = useTexts();
  const [event = ''] = eventsIn(webhook.event, []);
  const example = usePing(webhook, event);
  const ping = usePing(webhook);
  // An example would get into the index.
  const isSafe = options === undefined || !isIndex(draftOf(options).type);
  const items: readonly MenuItem<Open>[] = [
    { name: 'replay', label: webhooks.replay, icon: RotateCw },
    { name: 'rotate', label: webhooks.rotate, icon: KeyRound },
    ...(webhook.status === 'available' ? [{ name: 'disable' as const, label: webhooks.disable, icon: Pause }] : []),
    { name: 'delete', label: webhooks.remove, icon: Trash2, isDangerous: true },
  ];
  return (
    <div class="actions">
      {isSafe && (
        <wa-button
          size="s"
          variant="brand"
          loading={example.isRunning}
          disabled={options === undefined}
          onClick={example.run}
        >
          <Icon of={Send} slot="start" />
          {webhooks.sendExample}
        </wa-button>
      )}
      <wa-button size="s" appearance="outlined" loading={ping.isRunning} onClick={ping.run}>
        <Icon of={Radio} slot="start" />
        {webhooks.ping}
      </wa-button>
      <wa-button size="s" appearance="outlined" href={linkTo(['webhooks', webhook.id, 'edit'])}>
        <Icon of={Pencil} slot="start" />
        {frame.edit}
      </wa-button>
      <RowMenu of={webhookName(webhook)} items={items} onChoose={onOpen} />
      {stateOf(webhook) === 'unused' && (
        <p class="quiet">{isSafe ? webhooks.exampleHelp(event) : webhooks.emptyListHelp}</p>
      )}
      {example.result}
      {ping.result}
    </div>
  );
};

interface ConfirmationsProps {
  readonly webhook: Webhook;
  readonly open: Open | undefined;
  readonly onClose: () => void;
}

const Confirmations = ({ webhook, open, onClose }: ConfirmationsProps): JSX.Element | null => {
  const { webhooks } = useTexts();
  const path = `/admin/webhooks/${webhook.id}/`;
  const rotate = async (): Promise<void> => {
    const { secrets } = await change<{ secrets: [{ secret: string; previous_valid_until: string | null }] }>(
      'POST',
      `${path}secret/`,
    );
    const [{ secret, previous_valid_until: previousUntil }] = secrets;
    showOnce({ webhook: webhook.id, secret, previousUntil });
  };
  const disable = async (): Promise<void> => {
    await change('POST', `${path}disable/`);
    announce(webhooks.disabled);
  };
  const remove = async (): Promise<void> => {
    await deleteResource(path);
    announce(webhooks.removed);
    replaceWith(['webhooks']);
  };
  switch (open) {
    case 'rotate':
      return (
        <Confirm label={webhooks.rotate} action={webhooks.rotate} act={rotate} onClose={onClose}>
          <p>{webhooks.rotateHelp}</p>
        </Confirm>
      );
    case 'disable':
      return (
        <Confirm label={webhooks.disable} action={webhooks.disable} act={disable} onClose={onClose}>
          <p>{webhooks.disableHelp}</p>
        </Confirm>
      );
    case 'delete':
      return (
        <Confirm label={webhooks.remove} action={webhooks.remove} isDangerous act={remove} onClose={onClose}>
          <p>{webhooks.removeHelp(webhookName(webhook))}</p>
        </Confirm>
      );
    default:
      return null;
  }
};
