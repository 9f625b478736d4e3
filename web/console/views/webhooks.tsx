/** The webhooks by integration, with their health. Addresses below it lead to a webhook, and to the form for a new one. */
import type { JSX } from 'preact';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { isDeleted } from '../api/client.ts';
import { useDirectory } from '../api/directory.ts';
import type { Integration, Webhook } from '../api/resources.ts';
import { linkTo, replaceWith, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { EventNames } from '../ui/event-names.tsx';
import { HealthStrip } from '../ui/health-strip.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plus, Webhook as WebhookIcon } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { OneWebhook } from './webhook.tsx';
import { EditWebhook, NewWebhook } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

export const Webhooks = ({ place }: ViewProps): JSX.Element => {
  const directory = useDirectory(5000);
  const [, id, part] = place.parts;
  return (
    <Loaded query={directory}>
      {(data) => {
        if (id === 'new') return <NewWebhook directory={data} integration={place.query.integration} />;
        const webhook = data.webhooks.get(id ?? '');
        if (webhook !== undefined && part === 'edit')
          return <EditWebhook key={id} webhook={webhook} directory={data} />;
        if (id !== undefined) return <OneWebhook key={id} id={id} directory={data} />;
        return <List integrations={data.integrations} search={place.query.q ?? ''} />;
      }}
    </Loaded>
  );
};

interface ListProps {
  readonly integrations: readonly Integration[];
  readonly search: string;
}

const List = ({ integrations, search }: ListProps): JSX.Element => {
  const { frame, webhooks } = useTexts();
  const owned = integrations.map(({ webhooks: own = [], ...integration }) => ({
    integration,
    // A webhook that was just deleted stays in the list until it is read again.
    own: own.filter(({ id }) => !isDeleted(`/admin/webhooks/${id}/`)),
  }));
  const count = owned.reduce((sum, { own }) => sum + own.length, 0);
  const matching = owned.map(({ integration, own }) => ({
    integration,
    found: own.filter((webhook) => matches(webhook, search)),
  }));
  const shown = matching.filter(({ found }) => search === '' || found.length > 0);
  return (
    <>
      <div class="title">
        <h1>{frame.views.webhooks}</h1>
        {integrations.length > 0 && (
          <wa-button class="at-end" size="s" variant="brand" href={linkTo(['webhooks', 'new'])}>
            <Icon of={Plus} slot="start" />
            {webhooks.create}
          </wa-button>
        )}
      </div>
      {count > 0 && (
        <label class="field">
          <span>{webhooks.search}</span>
          <input
            type="search"
            value={search}
            onInput={(event) => replaceWith(['webhooks'], { q: inputValue(event) })}
          />
        </label>
      )}
      {integrations.length === 0 && (
        <Empty icon={WebhookIcon} title={webhooks.noIntegration}>
          <p>{webhooks.noIntegrationHelp}</p>
        </Empty>
      )}
      {integrations.length > 0 && count === 0 && (
        <Empty icon={WebhookIcon} title={webhooks.empty}>
          <p>{webhooks.emptyHelp}</p>
        </Empty>
      )}
      {count > 0 && shown.length === 0 && <Empty icon={WebhookIcon} title={webhooks.noMatch} />}
      {count > 0 &&
        shown.map(({ integration, found }) => (
          <section key={integration.id} class="group" aria-labelledby={integration.id}>
            <div class="title">
              <h2 id={integration.id}>{integration.name}</h2>
              <a class="at-end" href={linkTo(['webhooks', 'new'], { integration: integration.id })}>
                {webhooks.add}
                <span class="unseen">: {integration.name}</span>
              </a>
            </div>
            {found.length === 0 && <p class="quiet">{webhooks.none}</p>}
            {found.length > 0 && <WebhookTable label={integration.name} webhooks={found} />}
          </section>
        ))}
    </>
  );
};

const matches = ({ name, target_url, event, id }: Webhook, search: string): boolean =>
  [name, target_url, event, id].some((text) => text?.toLowerCase().includes(search.trim().toLowerCase()));

interface WebhookTableProps {
  readonly label: string;
  readonly webhooks: readonly Webhook[];
}

const WebhookTable = ({ label, webhooks: items }: WebhookTableProps): JSX.Element => {
  const { webhooks } = useTexts();
  return (
    <Table
      label={label}
      items={items}
      columns={[
        {
          title: webhooks.name,
          cell: (webhook) => (
            <>
              <a href={linkTo(['webhooks', webhook.id])}>{webhookName(webhook)}</a>
              {webhook.name !== null && <p class="quiet">{webhook.target_url}</p>}
            </>
          ),
        },
        { title: webhooks.event, cell: ({ event }) => <EventNames of={event} max={2} /> },
        { title: webhooks.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
        { title: webhooks.lastEvent, cell: ({ last_triggered_at }) => <Time at={last_triggered_at} /> },
        { title: webhooks.lastDeliveries, cell: ({ id }) => <HealthStrip webhook={id} /> },
      ]}
    />
  );
};
