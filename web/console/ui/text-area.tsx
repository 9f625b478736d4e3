/** A field for code or several lines of text: a label, the input, and below it what is wrong with it, and a hint. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { inputValue } from './input-value.ts';
import { describedBy, Mistake } from './text-field.tsx';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint: string;
  /** What is wrong with the value; undefined if it is valid. */
  readonly mistake?: string | undefined;
  readonly rows: number;
}

export const TextArea = ({ label, value, onInput, hint, mistake, rows }: TextAreaProps): JSX.Element => {
  const id = useId();
  return (
    <div class="field wide">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="code"
        rows={rows}
        value={value}
        autocomplete="off"
        spellcheck={false}
        {...describedBy(id, mistake, hint)}
        onInput={(event) => onInput(inputValue(event))}
      />
      <Mistake id={`${id}-mistake`} text={mistake} />
      <span class="quiet" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
};
