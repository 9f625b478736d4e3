/** Picks an event: a search, with a description and an example payload for each event. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ghostEvents, mastheadEvents } from '../../../shared/foundation/event-names.ts';
import { useTexts } from '../texts/dictionary.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { inputValue } from '../ui/input-value.ts';
import { useQuery } from '../use-query.ts';

const known = [...ghostEvents, ...mastheadEvents];

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
  const all = value === '' || known.includes(value) ? known : [value, ...known];
  const found = all.filter((name) => `${name} ${events.describe(name) ?? ''}`.toLowerCase().includes(wanted));
  return (
    <fieldset class="picker">
      <legend>{webhooks.pickEvent}</legend>
      <label class="field">
        <span>{webhooks.searchEvents}</span>
        <input type="search" value={search} onInput={(event) => setSearch(inputValue(event))} />
      </label>
      <div class="options">
        {found.map((name) => (
          <label key={name} class="option">
            <input type="radio" name="event" value={name} checked={name === value} onChange={() => onPick(name)} />
            <span>
              <code>{name}</code>
              <span class="quiet">{events.describe(name)}</span>
            </span>
          </label>
        ))}
        {found.length === 0 && (
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
      {value !== '' && <Example event={value} />}
    </fieldset>
  );
};

/** The examples are loaded when the first event is picked. */
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
