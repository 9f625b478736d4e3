/** The filters of the deliveries, kept in the address, and the search by an id. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import { webhookName } from '../../../shared/webhooks/name.ts';
import type { Directory } from '../api/directory.ts';
import { type Filter, findById } from '../api/live-deliveries.ts';
import { goTo, type Place, replaceWith } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Choice } from '../ui/choice.tsx';
import { Icon } from '../ui/icon.tsx';
import { Search, X } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { Moment } from '../ui/moment.tsx';
import { Problem } from '../ui/states.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { useAction } from '../use-action.ts';
import { readTime } from '../written-time.ts';

type Query = Place['query'];

/** Returns the filter in an address. Its times are local, as people enter and share them; the API takes UTC. */
export const filterOf = ({ status, event, webhook, event_id, q, since, until }: Query): Filter => ({
  status,
  event,
  webhook_id: webhook,
  event_id,
  search: q,
  since: readTime(since ?? ''),
  until: readTime(until ?? ''),
});

export const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value !== undefined);

interface FiltersProps {
  readonly query: Query;
  readonly directory: Directory | undefined;
}

export const DeliveryFilters = ({ query, directory }: FiltersProps): JSX.Element => {
  const { deliveries, frame } = useTexts();
  const isNarrow = useIsNarrow();
  const set = (name: string, value: string): void => replaceWith(['deliveries'], { ...query, [name]: value });
  const webhooks = [...(directory?.webhooks.values() ?? [])];
  // A delivery has the name of its event, also where a webhook selects a pattern.
  const events = [...new Set(webhooks.flatMap(({ event }) => eventsIn(event, [])))].sort();
  return (
    <search aria-label={deliveries.filters}>
      {/* What has become of an event comes first. */}
      <details class="narrow-details" open={!isNarrow || isFiltered({ ...filterOf(query), event_id: undefined })}>
        <summary>{deliveries.filters}</summary>
        <div class="filters">
          <Choice
            label={deliveries.columns.status}
            any={deliveries.anyStatus}
            value={query.status}
            options={Object.entries(deliveries.states)}
            onChoose={(value) => set('status', value)}
          />
          <Choice
            label={deliveries.columns.event}
            any={deliveries.anyEvent}
            value={query.event}
            options={withOwn(query.event, events).map((event) => [event, event])}
            onChoose={(value) => set('event', value)}
          />
          <Choice
            label={deliveries.columns.webhook}
            any={deliveries.anyWebhook}
            value={query.webhook}
            options={webhooks.map((webhook) => [webhook.id, `${webhookName(webhook)} · ${webhook.event}`])}
            onChoose={(value) => set('webhook', value)}
          />
          <Moment label={deliveries.since} value={query.since ?? ''} onChoose={(value) => set('since', value)} />
          <Moment label={deliveries.until} value={query.until ?? ''} onChoose={(value) => set('until', value)} />
          <Find key={query.q} query={query} directory={directory} />
          {isFiltered(filterOf(query)) && (
            <wa-button size="s" appearance="plain" onClick={() => replaceWith(['deliveries'])}>
              <Icon of={X} slot="start" />
              {deliveries.clear}
            </wa-button>
          )}
          {query.event_id !== undefined && (
            <span class="tag">
              {frame.views.deliveries}: {query.event_id}
            </span>
          )}
        </div>
      </details>
    </search>
  );
};

/** The address may still name an event that no webhook subscribes to any more. */
const withOwn = (own: string | undefined, events: readonly string[]): readonly string[] =>
  own === undefined || events.includes(own) ? events : [own, ...events];

/** Shows what an id belongs to: a webhook's deliveries, one delivery, or an event. Other text is searched for. */
const Find = ({ query, directory }: FiltersProps): JSX.Element => {
  const { deliveries } = useTexts();
  const [text, setText] = useState(query.q ?? '');
  const { run, isRunning, error } = useAction(async () => {
    const wanted = text.trim();
    if (wanted === '') return replaceWith(['deliveries'], { ...query, q: '' });
    if (directory?.webhooks.has(wanted)) return goTo(['deliveries'], { webhook: wanted });
    const found = /\s/.test(wanted) ? undefined : await findById(wanted);
    if (found === undefined) return goTo(['deliveries'], { ...query, q: wanted });
    return found === 'event'
      ? goTo(['deliveries'], { event_id: wanted })
      : goTo(['deliveries', found.webhook_id, found.id]);
  });
  return (
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <label class="field">
        <span>{deliveries.search}</span>
        <input type="search" value={text} spellcheck={false} onInput={(event) => setText(inputValue(event))} />
      </label>
      <wa-button type="submit" size="s" appearance="outlined" loading={isRunning}>
        <Icon of={Search} slot="start" />
        {deliveries.find}
      </wa-button>
      {error !== undefined && <Problem error={error} />}
    </form>
  );
};
