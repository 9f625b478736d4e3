/** Picks an event: a search, and a description of each. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ghostEvents, mastheadEvents } from '../../../shared/events/catalogue.ts';
import { useTexts } from '../texts/dictionary.ts';
import { inputValue } from '../ui/input-value.ts';

const known = [...ghostEvents, ...mastheadEvents];

/** The form of an event's name; the stage decides whether it has such an event. */
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
    </fieldset>
  );
};
