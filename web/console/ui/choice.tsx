/** A filter of a list: one of some values, or any. */
import type { JSX } from 'preact';
import { inputValue } from './input-value.ts';

interface ChoiceProps {
  readonly label: string;
  readonly any: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

export const Choice = ({ label, any, value = '', options, onChoose }: ChoiceProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <select value={value} onChange={(event) => onChoose(inputValue(event))}>
      <option value="">{any}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
