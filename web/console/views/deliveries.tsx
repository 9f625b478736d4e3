/** The deliveries of all webhooks, newest first and live; the filters are in the address. */
import type { JSX } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { type Directory, useDirectory } from '../api/directory.ts';
import {
  type Filter,
  type ListedEvent,
  type LiveDeliveries,
  readDeliveries,
  useLiveDeliveries,
} from '../api/live-deliveries.ts';
import type { Delivery } from '../api/resources.ts';
import { linkTo, type Place, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { DownloadCsv } from '../ui/download-csv.tsx';
import { Send } from '../ui/icons.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { SearchedTo } from '../ui/searched-to.tsx';
import { Empty, Problem, Skeleton } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { OneDelivery } from './delivery.tsx';
import { DeliveryFilters, filterOf, isFiltered } from './delivery-filters.tsx';
import { Redeliver } from './redeliver.tsx';

export const Deliveries = ({ place }: ViewProps): JSX.Element => {
  const [, webhook, delivery] = place.parts;
  return webhook === undefined || delivery === undefined ? (
    <DeliveryList place={place} />
  ) : (
    <OneDelivery webhook={webhook} id={delivery} />
  );
};

const DeliveryList = ({ place }: { readonly place: Place }): JSX.Element => {
  const { frame, deliveries } = useTexts();
  const directory = useDirectory();
  const filter = filterOf(place.query);
  const live = useLiveDeliveries(filter);
  const state = live.error !== undefined ? 'stopped' : live.rows === undefined ? 'starting' : 'current';
  return (
    <>
      <div class="title">
        <h1>{frame.views.deliveries}</h1>
        <span class={`live ${state}`} role="status">
          {deliveries.live[state]}
        </span>
        <span class="at-end">
          <DownloadCsv name="deliveries" read={(cursor, signal) => readDeliveries(filter, cursor, signal)} />
        </span>
      </div>
      <DeliveryFilters query={place.query} directory={directory.data} />
      <Rows key={JSON.stringify(filter)} filter={filter} live={live} directory={directory.data} />
    </>
  );
};

interface RowsProps {
  readonly filter: Filter;
  readonly live: LiveDeliveries;
  readonly directory: Directory | undefined;
}

const Rows = ({ filter, live, directory }: RowsProps): JSX.Element => {
  const { rows, error, loadMore, reload } = live;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const isNarrow = useIsNarrow();
  const { deliveries } = useTexts();
  const cells = useCallback(
    (row: Delivery) => (
      <Cells
        row={row}
        directory={directory}
        isSelected={selected.has(row.id)}
        onToggle={() =>
          setSelected((before) =>
            before.has(row.id) ? new Set([...before].filter((one) => one !== row.id)) : new Set([...before, row.id]),
          )
        }
      />
    ),
    [directory, selected],
  );
  if (rows === undefined)
    return error === undefined ? <Skeleton lines={8} /> : <Problem error={error} onRetry={reload} />;
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {live.event !== undefined && <EventFacts event={live.event} rows={rows} directory={directory} />}
      {rows.length === 0 ? (
        !live.hasMore && live.event === undefined && <NoRows isLimited={isFiltered(filter)} />
      ) : (
        <>
          {selected.size > 0 && (
            <Redeliver
              deliveries={rows.filter(({ id }) => selected.has(id))}
              onDone={() => setSelected(new Set<string>())}
            />
          )}
          <VirtualRows
            key={isNarrow}
            label={deliveries.list}
            rows={rows}
            rowHeight={isNarrow ? 84 : 44}
            header={<Header />}
            onEnd={live.searchedTo === undefined ? loadMore : nothing}
          >
            {cells}
          </VirtualRows>
        </>
      )}
      {live.hasMore && <Further live={live} />}
    </>
  );
};

interface EventFactsProps {
  readonly event: ListedEvent;
  readonly rows: readonly Delivery[];
  readonly directory: Directory | undefined;
}

/** What happened, what became of it at each webhook, and why some webhooks have no delivery. The rows are below. */
const EventFacts = ({ event, rows, directory }: EventFactsProps): JSX.Element => {
  const { deliveries } = useTexts();
  const { title, resource_id, created_at, left_out, changed, later, removed } = event;
  const counts = [...Map.groupBy(rows, ({ status }) => status)];
  return (
    <section class="panel" aria-labelledby="what">
      <h2 id="what">{title ?? event.event}</h2>
      <p class="quiet">
        {event.event} · <Time at={created_at} /> · <code>{event.id}</code>
      </p>
      {resource_id !== null && (
        <p>
          {deliveries.about}{' '}
          <code>
            {event.event.split('.', 1)} {resource_id}
          </code>
          {' · '}
          <a href={linkTo(['deliveries'], { q: resource_id })}>{deliveries.allAbout}</a>
        </p>
      )}
      <p>
        {counts.map(([status, own]) => (
          <span key={status} class="counted">
            <Status state={status} /> {own.length}
          </span>
        ))}
        {counts.length === 0 && deliveries.noWebhook}
      </p>
      {left_out.map(({ webhook_id, part }) => (
        <p key={webhook_id}>
          {deliveries.leftOut} <Webhooks ids={[webhook_id]} directory={directory} /> · <code>{part}</code>
        </p>
      ))}
      {changed.length > 0 && (
        <p>
          {deliveries.changed} <Webhooks ids={changed} directory={directory} />
        </p>
      )}
      {later.length > 0 && (
        <p>
          {deliveries.later} <Webhooks ids={later} directory={directory} />
        </p>
      )}
      {removed !== null && removed > 0 && <p>{deliveries.removed(removed)}</p>}
    </section>
  );
};

interface WebhooksProps {
  readonly ids: readonly string[];
  readonly directory: Directory | undefined;
}

const Webhooks = ({ ids, directory }: WebhooksProps): JSX.Element => (
  <>
    {ids.map((id, position) => {
      const webhook = directory?.webhooks.get(id);
      return (
        <>
          {position > 0 && ', '}
          <a href={linkTo(['webhooks', id])}>{webhook === undefined ? id : webhookName(webhook)}</a>
        </>
      );
    })}
  </>
);

const nothing = (): void => {};

/** Below a list that has not come to its end: how far it was searched, and how to go on or stop. */
const Further = ({ live }: { readonly live: LiveDeliveries }): JSX.Element => {
  const { deliveries } = useTexts();
  const { searchedTo, isSearching, stop, loadMore } = live;
  if (searchedTo === undefined) return <LoadMore onLoad={loadMore} />;
  return (
    <p class="searched">
      <SearchedTo at={searchedTo} />
      <wa-button size="s" appearance="outlined" onClick={isSearching ? stop : loadMore}>
        {isSearching ? deliveries.stop : deliveries.searchOn}
      </wa-button>
    </p>
  );
};

const NoRows = ({ isLimited }: { readonly isLimited: boolean }): JSX.Element => {
  const { deliveries } = useTexts();
  if (isLimited)
    return (
      <Empty icon={Send} title={deliveries.noMatch}>
        <a href={linkTo(['deliveries'])}>{deliveries.clear}</a>
      </Empty>
    );
  return (
    <Empty icon={Send} title={deliveries.empty}>
      <p>{deliveries.emptyHelp}</p>
    </Empty>
  );
};

const Header = (): JSX.Element => {
  const { columns } = useTexts().deliveries;
  return (
    <>
      <span role="columnheader" class="select">
        <span class="unseen">{columns.select}</span>
      </span>
      <span role="columnheader">{columns.status}</span>
      <span role="columnheader">{columns.event}</span>
      <span role="columnheader">{columns.webhook}</span>
      <span role="columnheader">{columns.result}</span>
      <span role="columnheader">{columns.created}</span>
    </>
  );
};

interface CellsProps {
  readonly row: Delivery;
  readonly directory: Directory | undefined;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

const Cells = ({ row, directory, isSelected, onToggle }: CellsProps): JSX.Element => {
  const { deliveries } = useTexts();
  const webhook = directory?.webhooks.get(row.webhook_id);
  const result = resultOf(row, deliveries);
  return (
    <>
      <span role="cell" class="select">
        <input
          type="checkbox"
          checked={isSelected}
          onChange={onToggle}
          aria-label={deliveries.select(`${row.event} ${row.id}`)}
        />
      </span>
      <span role="cell">
        <Status state={row.status} />
      </span>
      <span role="cell" class="wide">
        <a href={linkTo(['deliveries', row.webhook_id, row.id])} title={row.title ?? row.event}>
          {row.title ?? row.event}
        </a>
        {row.trigger !== 'event' && <span class="tag">{deliveries.triggers[row.trigger]}</span>}
        {row.replayed_by !== null && <span class="tag">{deliveries.sentAgain}</span>}
        {row.superseded_by !== null && (
          <a class="tag" href={linkTo(['deliveries', row.webhook_id, row.superseded_by])}>
            {deliveries.sentInstead}
          </a>
        )}
        {row.title != null && <small class="quiet">{row.event}</small>}
      </span>
      <span role="cell" class="wide quiet">
        {webhook === undefined ? directory && deliveries.deleted : webhookName(webhook)}
      </span>
      <span role="cell" class="quiet" title={result}>
        {result}
      </span>
      <span role="cell">
        <Time at={row.created_at} />
      </span>
    </>
  );
};

/** The status of the last answer, or why there was none, and after how many attempts. */
export const resultOf = (
  { last_status, last_error, attempts }: Delivery,
  texts: ReturnType<typeof useTexts>['deliveries'],
): string => {
  const last = last_status !== null ? `HTTP ${last_status}` : last_error !== null ? texts.error(last_error) : '';
  return [last, attempts > 1 ? texts.attempts(attempts) : ''].filter((part) => part !== '').join(' · ');
};
