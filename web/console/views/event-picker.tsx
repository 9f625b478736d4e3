/** Picks events and patterns: the usual ones first, then whole groups, and all others below a search. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { commonEvents } from '../../../shared/foundation/event-names.ts';
import { covers, namesIn, patternsOf } from '../../../shared/foundation/event-selection.ts';
import { useTexts } from '../texts/dictionary.ts';
import { EventNames } from '../ui/event-names.tsx';
import { inputValue } from '../ui/input-value.ts';
import { describedBy, Mistake } from '../ui/text-field.tsx';

/** The events for the most common uses: messages in a chat, rebuilding a site, search indexes, and mailing lists. */
const usual: readonly string[] = [
  'post.published',
  'site.changed',
  'post.published.edited',
  'post.unpublished',
  'post.deleted',
  'member.added',
];
const patterns = patternsOf([]).filter((pattern) => pattern !== 'site.*');
const others = commonEvents.filter((name) => !usual.includes(name));

/** The format of an event name; whether the event exists is up to the stage. */
const nameForm = /^[a-z0-9_.-]{1,50}$/;

interface EventPickerProps {
  /** Names and patterns, separated by commas. */
  readonly value: string;
  readonly onPick: (selection: string) => void;
  /** The only events that the webhook can have; undefined for all. */
  readonly only: readonly string[] | undefined;
  readonly mistake: string | undefined;
}

export const EventPicker = ({ value, onPick, only, mistake }: EventPickerProps): JSX.Element => {
  const { webhooks, events } = useTexts();
  const id = useId();
  const chosen = namesIn(value).filter((name) => name !== '');
  const [search, setSearch] = useState('');
  const [isAll, setIsAll] = useState(() => chosen.some((name) => ![...usual, ...patterns].includes(name)));
  const wanted = search.trim().toLowerCase();
  const isFound = (name: string): boolean => `${name} ${events.describe(name) ?? ''}`.toLowerCase().includes(wanted);
  const known = [...commonEvents, ...patterns];
  const own = chosen.filter((name) => !known.includes(name));
  const rest = { title: webhooks.otherEvents, names: [...own, ...others] };
  const groups = (
    only !== undefined
      ? [{ title: webhooks.fittingEvents, names: [...new Set([...only, ...chosen])] }]
      : [
          { title: webhooks.usualEvents, names: usual },
          { title: webhooks.wholeGroups, names: patterns },
          ...(wanted === '' ? [] : [rest]),
        ]
  )
    .map(({ title, names }) => ({ title, names: names.filter(isFound) }))
    .filter(({ names }) => names.length > 0);
  /** What a pattern includes is not named beside it. */
  const pick = (name: string): void => {
    const kept = chosen.includes(name)
      ? chosen.filter((one) => one !== name)
      : [...chosen.filter((one) => !covers(name, one)), name];
    onPick(kept.join(','));
  };
  const show = ({ title, names }: typeof rest): JSX.Element => (
    <div key={title} role="group" aria-label={title}>
      <strong aria-hidden="true">{title}</strong>
      {names.map((name) => {
        const isIncluded = !chosen.includes(name) && covers(value, name);
        return (
          <label key={name} class="option">
            <input
              type="checkbox"
              name="event"
              value={name}
              checked={isIncluded || chosen.includes(name)}
              disabled={isIncluded}
              onChange={() => pick(name)}
            />
            <span>
              <code>{name}</code>
              <span class="quiet">{events.describe(name)}</span>
            </span>
          </label>
        );
      })}
    </div>
  );
  return (
    <fieldset class="picker">
      <legend>{webhooks.pickEvent}</legend>
      {only === undefined && (
        <label class="field">
          <span>{webhooks.searchEvents}</span>
          <input
            type="search"
            value={search}
            {...describedBy(id, mistake, undefined)}
            onInput={(event) => setSearch(inputValue(event))}
          />
        </label>
      )}
      <Mistake id={`${id}-mistake`} text={mistake} />
      {groups.map(show)}
      {groups.length === 0 && (
        <p class="quiet">
          {webhooks.noEvent(search)}{' '}
          {nameForm.test(wanted) && (
            <button
              type="button"
              class="link"
              onClick={() => {
                pick(wanted);
                setIsAll(true);
                setSearch('');
              }}
            >
              {webhooks.ownEvent(wanted)}
            </button>
          )}
        </p>
      )}
      {only === undefined && wanted === '' && (
        <button type="button" class="link" aria-expanded={isAll} onClick={() => setIsAll(!isAll)}>
          {webhooks.allEvents(rest.names.length)}
        </button>
      )}
      {only === undefined && wanted === '' && isAll && show(rest)}
      {only === undefined && (
        <p>
          {webhooks.chosenEvents} {chosen.length === 0 ? webhooks.noneChosen : <EventNames of={value} />}
        </p>
      )}
    </fieldset>
  );
};
