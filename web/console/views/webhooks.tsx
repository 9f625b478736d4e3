/** The webhooks by integration, with their health: all, those in a state, or an incident's. Leads to each of them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { incidentsOf } from '../../../shared/incidents/incident.ts';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { stateOf } from '../../../shared/webhooks/state.ts';
import { isDeleted } from '../api/client.ts';
import { useDirectory } from '../api/directory.ts';
import type { Integration, Webhook } from '../api/resources.ts';
import { linkTo, type Place, replaceWith, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { EventNames } from '../ui/event-names.tsx';
import { HealthStrip } from '../ui/health-strip.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plus, Webhook as WebhookIcon } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { late } from '../ui/late.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { IncidentHead } from './incident.tsx';
import { OneWebhook } from './webhook.tsx';
import { WebhookBulk } from './webhook-bulk.tsx';
import { WebhookState } from './webhook-state.tsx';

const EditWebhook = late(async () => (await import('./late-views.ts')).lateViews.EditWebhook);
const NewWebhook = late(async () => (await import('./late-views.ts')).lateViews.NewWebhook);

export const Webhooks = ({ place }: ViewProps): JSX.Element => {
  const directory = useDirectory(10_000);
  const [, id, part] = place.parts;
  return (
    <Loaded query={directory}>
      {(data) => {
        if (id === 'new') return <NewWebhook directory={data} integration={place.query.integration} />;
        const webhook = data.webhooks.get(id ?? '');
        if (webhook !== undefined && part === 'edit')
          return <EditWebhook key={id} webhook={webhook} directory={data} />;
        if (id !== undefined) return <OneWebhook key={id} id={id} directory={data} />;
        return <List integrations={data.integrations} query={place.query} />;
      }}
    </Loaded>
  );
};

interface ListProps {
  readonly integrations: readonly Integration[];
  readonly query: Place['query'];
}

const shownStates = ['failing', 'disabled', 'unused'] as const;
/** Those that need somebody come first. */
const order = [...shownStates, 'available'] as const;

/** Every webhook in a state, or all of them; an incident takes the place of the states. */
const List = ({ integrations, query }: ListProps): JSX.Element => {
  const { frame, webhooks, incidents: texts } = useTexts();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { q: search = '', host, cause } = query;
  const owned = integrations.map(({ webhooks: own = [], ...integration }) => ({
    integration,
    // A webhook that was just deleted stays in the list until it is read again.
    own: own.filter(({ id }) => !isDeleted(`/admin/webhooks/${id}/`)),
  }));
  const all = owned.flatMap(({ own }) => own);
  const count = all.length;
  const state = shownStates.find((one) => one === query.state);
  const isOfIncident = host !== undefined;
  const incident = isOfIncident ? incidentsOf(all).find((one) => one.host === host && one.cause === cause) : undefined;
  const isFiltered = search !== '' || state !== undefined || isOfIncident;
  const isShown = (webhook: Webhook): boolean =>
    matches(webhook, search) &&
    (state === undefined || stateOf(webhook) === state) &&
    (!isOfIncident || incident?.webhooks.includes(webhook) === true);
  const shown = owned
    .map(({ integration, own }) => ({ integration, found: own.filter(isShown).toSorted(byState) }))
    .filter(({ found }) => !isFiltered || found.length > 0)
    .toSorted((a, b) => placeOf(a.found[0]) - placeOf(b.found[0]));
  const found = shown.flatMap((one) => one.found);
  const chosen = found.filter(({ id }) => selected.has(id));
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
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
      {isOfIncident && <IncidentHead incident={incident} />}
      {count > 0 && !isOfIncident && (
        <>
          <nav class="segments" aria-label={texts.statesLabel}>
            {([undefined, ...shownStates] as const).map((one) => (
              <a
                key={one}
                href={linkTo(['webhooks'], { q: search, state: one })}
                {...(one === state && { 'aria-current': 'true' as const })}
              >
                {texts.states[one ?? 'all']} ({all.filter((w) => one === undefined || stateOf(w) === one).length})
              </a>
            ))}
          </nav>
          <label class="field">
            <span>{webhooks.search}</span>
            <input
              type="search"
              value={search}
              onInput={(event) => replaceWith(['webhooks'], { q: inputValue(event), state })}
            />
          </label>
        </>
      )}
      {chosen.length > 0 && <WebhookBulk selected={chosen} onSelect={(ids) => setSelected(new Set(ids))} />}
      {found.length > chosen.length && (
        <wa-button
          class="at-start"
          size="s"
          appearance="plain"
          onClick={() => setSelected(new Set(found.map(({ id }) => id)))}
        >
          {texts.selectAll(found.length)}
        </wa-button>
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
      {count > 0 && shown.length === 0 && !isOfIncident && <Empty icon={WebhookIcon} title={webhooks.noMatch} />}
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
            {found.length > 0 && (
              <WebhookTable label={integration.name} webhooks={found} selected={selected} onToggle={toggle} />
            )}
          </section>
        ))}
    </>
  );
};

const placeOf = (webhook: Webhook | undefined): number =>
  webhook === undefined ? order.length : order.indexOf(stateOf(webhook));
const byState = (a: Webhook, b: Webhook): number => placeOf(a) - placeOf(b);

const matches = ({ name, target_url, event, id }: Webhook, search: string): boolean =>
  [name, target_url, event, id].some((text) => text?.toLowerCase().includes(search.trim().toLowerCase()));

interface WebhookTableProps {
  readonly label: string;
  readonly webhooks: readonly Webhook[];
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

const WebhookTable = ({ label, webhooks: items, selected, onToggle }: WebhookTableProps): JSX.Element => {
  const { webhooks, incidents } = useTexts();
  return (
    <Table
      label={label}
      items={items}
      columns={[
        {
          title: webhooks.name,
          cell: (webhook) => (
            <>
              <input
                type="checkbox"
                class="pick"
                aria-label={incidents.select(webhookName(webhook))}
                checked={selected.has(webhook.id)}
                onChange={() => onToggle(webhook.id)}
              />
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
