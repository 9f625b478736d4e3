/** Lists the integrations. Addresses below it lead to an integration, and to the form for a new one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Integration } from '../api/resources.ts';
import { readIntegrations } from '../api/staff.ts';
import { lastUse } from '../distance.ts';
import { linkTo, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { Plug, Plus } from '../ui/icons.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { usePages } from '../use-pages.ts';
import { OneIntegration } from './integration.tsx';
import { NewIntegration } from './integration-form.tsx';
import type { NewKey } from './integration-keys.tsx';

export const Integrations = ({ place }: ViewProps): JSX.Element => {
  const [, id] = place.parts;
  const [key, setKey] = useState<NewKey>();
  if (id === 'new') return <NewIntegration onKey={setKey} />;
  if (id !== undefined) return <OneIntegration key={id} id={id} newKey={key} onKey={setKey} />;
  return <List />;
};

const List = (): JSX.Element => {
  const { frame, integrations } = useTexts();
  const query = usePages('integrations', readIntegrations);
  return (
    <>
      <div class="title">
        <h1>{frame.views.integrations}</h1>
        <wa-button class="at-end" size="s" variant="brand" href={linkTo(['integrations', 'new'])}>
          <Icon of={Plus} slot="start" />
          {integrations.create}
        </wa-button>
      </div>
      <Loaded query={query}>
        {({ items, hasMore }) => (
          <>
            {items.length === 0 && (
              <Empty icon={Plug} title={integrations.empty}>
                <p>{integrations.emptyHelp}</p>
              </Empty>
            )}
            {items.length > 0 && <IntegrationTable integrations={items} />}
            {hasMore && <LoadMore onLoad={query.loadMore} />}
          </>
        )}
      </Loaded>
    </>
  );
};

interface IntegrationTableProps {
  readonly integrations: readonly Integration[];
}

const IntegrationTable = ({ integrations: items }: IntegrationTableProps): JSX.Element => {
  const { frame, integrations } = useTexts();
  const { count } = useNumbers();
  return (
    <Table
      label={frame.views.integrations}
      items={items}
      columns={[
        {
          title: integrations.name,
          cell: ({ id, name, description }) => (
            <>
              <a href={linkTo(['integrations', id])}>{name}</a>
              {description !== null && <p class="quiet">{description}</p>}
            </>
          ),
        },
        { title: frame.views.webhooks, cell: ({ webhooks = [] }) => count(webhooks.length) },
        {
          title: integrations.publishes,
          cell: ({ can_publish, can_receive_staff_events }) => (
            <>
              {can_publish ? integrations.yes : integrations.no}{' '}
              {can_receive_staff_events && <span class="tag">{integrations.receivesStaffEvents}</span>}
            </>
          ),
        },
        {
          title: integrations.lastUsed,
          cell: (integration) => <Time at={lastUse(integration.created_at, lastUsed(integration))} />,
        },
      ]}
    />
  );
};

/** Returns when one of the integration's keys was last used. */
const lastUsed = ({ api_keys = [] }: Integration): string | null =>
  api_keys
    .flatMap(({ last_seen_at }) => last_seen_at ?? [])
    .toSorted()
    .at(-1) ?? null;
