/** The integrations; addresses below lead to one integration and to the form of a new one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Integration } from '../api/resources.ts';
import { readIntegrations } from '../api/staff.ts';
import { linkTo, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { Plug, Plus } from '../ui/icons.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
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
        <wa-button class="apart" size="s" variant="brand" href={linkTo(['integrations', 'new'])}>
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
            {items.length > 0 && (
              <ul class="panel cards flat">
                {items.map((integration) => (
                  <IntegrationCard key={integration.id} integration={integration} />
                ))}
              </ul>
            )}
            {hasMore && <LoadMore onLoad={query.loadMore} />}
          </>
        )}
      </Loaded>
    </>
  );
};

const IntegrationCard = ({ integration }: { readonly integration: Integration }): JSX.Element => {
  const { integrations } = useTexts();
  const { id, name, description, can_publish, can_receive_staff_events, webhooks = [] } = integration;
  return (
    <li class="card">
      <div class="title">
        <a href={linkTo(['integrations', id])}>{name}</a>
        <span class="tag">{integrations.webhooks(webhooks.length)}</span>
        {can_publish && <span class="tag">{integrations.publishes}</span>}
        {can_receive_staff_events && <span class="tag">{integrations.receivesStaffEvents}</span>}
      </div>
      {description !== null && <p class="quiet">{description}</p>}
    </li>
  );
};
