/** One integration: its keys, its webhooks, the events that a Ghost site publishes through it, and its deletion. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { baseUrl, change, get } from '../api/client.ts';
import type { Integration, Webhook } from '../api/resources.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { EventNames } from '../ui/event-names.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyRound, Pencil, Trash2 } from '../ui/icons.ts';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useQuery } from '../use-query.ts';
import { DeleteIntegration } from './integration-deletion.tsx';
import { EditIntegration } from './integration-form.tsx';
import { Keys, type NewKey } from './integration-keys.tsx';

interface OneIntegrationProps {
  readonly id: string;
  readonly newKey: NewKey | undefined;
  readonly onKey: (key: NewKey | undefined) => void;
}

export const OneIntegration = ({ id, newKey, onKey }: OneIntegrationProps): JSX.Element => {
  const { frame, integrations } = useTexts();
  const path = `/admin/integrations/${encodeURIComponent(id)}/`;
  const query = useQuery(
    path,
    async (signal) =>
      (await get<{ integrations: [Integration] }>(path, { include: 'webhooks,api_keys' }, signal)).integrations[0],
  );
  return (
    <>
      <BackLink to={['integrations']} label={frame.views.integrations} />
      <Loaded query={query}>
        {(integration) => (
          <>
            {newKey?.integration === id && (
              <ShownOnce
                title={integrations.newKey}
                secret={newKey.key}
                copy={integrations.copyKey}
                onDismiss={() => onKey(undefined)}
              />
            )}
            <Details integration={integration} onKey={onKey} />
          </>
        )}
      </Loaded>
    </>
  );
};

interface DetailsProps {
  readonly integration: Integration;
  readonly onKey: (key: NewKey) => void;
}

const Details = ({ integration, onKey }: DetailsProps): JSX.Element => {
  const { frame, integrations } = useTexts();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <h1>{integration.name}</h1>
      {integration.description !== null && <p>{integration.description}</p>}
      <div class="actions">
        <wa-button size="s" appearance="outlined" onClick={() => setOpen('edit')}>
          <Icon of={Pencil} slot="start" />
          {frame.edit}
        </wa-button>
        <wa-button size="s" appearance="outlined" variant="danger" onClick={() => setOpen('delete')}>
          <Icon of={Trash2} slot="start" />
          {frame.remove}
        </wa-button>
      </div>
      <dl class="panel facts">
        <dt>{integrations.id}</dt>
        <dd>
          <code>{integration.id}</code>
        </dd>
        <dt>{integrations.contact}</dt>
        <dd>
          {integration.contact_email ?? frame.none}
          {integration.contact_email !== null && !integration.contact_confirmed && ` (${integrations.unconfirmed})`}
        </dd>
        <dt>{integrations.publishes}</dt>
        <dd>{integration.can_publish ? integrations.yes : integrations.no}</dd>
        <dt>{integrations.receivesStaffEvents}</dt>
        <dd>{integration.can_receive_staff_events ? integrations.yes : integrations.no}</dd>
        <dt>{integrations.created}</dt>
        <dd>
          <Time at={integration.created_at} />
        </dd>
      </dl>
      <Keys integration={integration} onKey={onKey} />
      <Webhooks id={integration.id} webhooks={integration.webhooks ?? []} />
      <Inbound id={integration.id} />
      {open === 'edit' && <EditIntegration integration={integration} onClose={close} />}
      {open === 'delete' && <DeleteIntegration integration={integration} onClose={close} />}
    </>
  );
};

interface WebhooksProps {
  readonly id: string;
  readonly webhooks: readonly Webhook[];
}

const Webhooks = ({ id, webhooks }: WebhooksProps): JSX.Element => {
  const { frame, integrations } = useTexts();
  return (
    <section class="panel" aria-labelledby="webhooks">
      <div class="title">
        <h2 id="webhooks">{frame.views.webhooks}</h2>
        <a class="at-end" href={linkTo(['webhooks', 'new'], { integration: id })}>
          {integrations.addWebhook}
        </a>
      </div>
      {webhooks.length === 0 && <p class="quiet">{integrations.noWebhooks}</p>}
      <ul class="cards">
        {webhooks.map((webhook) => (
          <li key={webhook.id} class="card">
            <div class="title">
              <a href={linkTo(['webhooks', webhook.id])}>{webhookName(webhook)}</a>
              <EventNames of={webhook.event} max={2} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};

const Inbound = ({ id }: { readonly id: string }): JSX.Element => {
  const { integrations } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = async (): Promise<void> => {
    const path = `/admin/integrations/${id}/inbound_secret/`;
    const { secrets } = await change<{ secrets: [{ secret: string }] }>('POST', path);
    setSecret(secrets[0].secret);
  };
  return (
    <>
      {secret !== undefined && (
        <ShownOnce
          title={integrations.inboundTitle}
          secret={secret}
          copy={integrations.copySecret}
          onDismiss={() => setSecret(undefined)}
        />
      )}
      <section class="panel" aria-labelledby="inbound">
        <h2 id="inbound">{integrations.inbound}</h2>
        <p class="quiet">{integrations.inboundHelp}</p>
        <code>{`${baseUrl}/inbound/ghost/${id}/post.published/`}</code>
        <div class="actions">
          <wa-button size="s" appearance="outlined" onClick={() => setIsAsking(true)}>
            <Icon of={KeyRound} slot="start" />
            {integrations.inboundCreate}
          </wa-button>
        </div>
        {isAsking && (
          <Confirm
            label={integrations.inboundCreate}
            action={integrations.inboundCreate}
            act={create}
            onClose={() => setIsAsking(false)}
          >
            <p>{integrations.inboundWarning}</p>
          </Confirm>
        )}
      </section>
    </>
  );
};
