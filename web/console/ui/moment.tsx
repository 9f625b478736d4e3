/** A field for a date and a time that looks the same in every language, unlike the browsers' own field. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useTexts } from '../texts/dictionary.ts';
import { readTime } from '../written-time.ts';
import { inputValue } from './input-value.ts';

interface MomentProps {
  readonly label: string;
  /** The text as it was typed; empty for none. */
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

export const Moment = ({ label, value, onChoose }: MomentProps): JSX.Element => {
  const { states } = useTexts();
  const id = useId();
  const isWrong = value !== '' && readTime(value) === undefined;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        class="moment"
        value={value}
        placeholder={states.timeForm}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={isWrong}
        {...(isWrong && { 'aria-describedby': id })}
        onChange={(event) => onChoose(inputValue(event).trim())}
      />
      {isWrong && (
        <span class="mistake" id={id}>
          {states.noTime}
        </span>
      )}
    </label>
  );
};
