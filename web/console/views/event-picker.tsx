/** Picks an event: the usual ones first, and a search, with a description and an example payload for each event. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { commonEvents } from '../../../shared/foundation/event-names.ts';
import { useTexts } from '../texts/dictionary.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { inputValue } from '../ui/input-value.ts';
import { useQuery } from '../use-query.ts';

/** The event of a new webhook until another one is picked: most webhooks use it. */
export const usualEvent = 'post.published';

/** The events for the most common uses: rebuilding a site, posting in a chat, and mailing lists. */
const usual: readonly string[] = [
  usualEvent,
  'post.published.edited',
  'post.unpublished',
  'member.added',
  'site.changed',
];
const others = commonEvents.filter((name) => !usual.includes(name));

/** The format of an event name; whether the event exists is up to the stage. */
const nameForm = /^[a-z0-9_.-]{1,50}$/;

interface EventPickerProps {
  readonly value: string;
  readonly onPick: (event: string) => void;
}

export const EventPicker = ({ value, onPick }: EventPickerProps): JSX.Element => {
  const { webhooks, events } = useTexts();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const isFound = (name: string): boolean => `${name} ${events.describe(name) ?? ''}`.toLowerCase().includes(wanted);
  const groups = [
    { id: 'usual-events', title: webhooks.usualEvents, names: usual.filter(isFound) },
    {
      id: 'other-events',
      title: webhooks.otherEvents,
      names: (commonEvents.includes(value) ? others : [value, ...others]).filter(isFound),
    },
  ].filter(({ names }) => names.length > 0);
  return (
    <fieldset class="picker">
      {/* The search may hide the picked event. */}
      <legend>
        {webhooks.pickEvent} <code>{value}</code>
      </legend>
      <label class="field">
        <span>{webhooks.searchEvents}</span>
        <input type="search" value={search} onInput={(event) => setSearch(inputValue(event))} />
      </label>
      <div class="options">
        {groups.map(({ id, title, names }) => (
          <div key={id} role="group" aria-labelledby={id}>
            <strong id={id}>{title}</strong>
            {names.map((name) => (
              <label key={name} class="option">
                <input type="radio" name="event" value={name} checked={name === value} onChange={() => onPick(name)} />
                <span>
                  <code>{name}</code>
                  <span class="quiet">{events.describe(name)}</span>
                </span>
              </label>
            ))}
          </div>
        ))}
        {groups.length === 0 && (
          <p class="quiet">
            {webhooks.noEvent(search)}{' '}
            {nameForm.test(wanted) && (
              <button type="button" class="link" onClick={() => onPick(wanted)}>
                {webhooks.ownEvent(wanted)}
              </button>
            )}
          </p>
        )}
      </div>
      <Example event={value} />
    </fieldset>
  );
};

/** The examples are loaded after the form, which does not wait for them. */
const readExamples = async () => (await import('../../../shared/events/examples.ts')).eventExamples;

const Example = ({ event }: { readonly event: string }): JSX.Element | null => {
  const { webhooks } = useTexts();
  const { data } = useQuery('examples', readExamples);
  const example = data?.[event];
  if (example === undefined) return null;
  return (
    <details>
      <summary>
        {webhooks.example}: <code>{event}</code>
      </summary>
      <CodeBlock text={JSON.stringify({ event, ...example.payload }, null, 2)} />
    </details>
  );
};
