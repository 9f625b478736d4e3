/** A field for code or a text of several lines: a label, the input, and a hint or an error below. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { inputValue } from './input-value.ts';

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
        aria-describedby={`${id}-hint`}
        aria-invalid={mistake !== undefined}
        onInput={(event) => onInput(inputValue(event))}
      />
      <span class={mistake === undefined ? 'quiet' : 'mistake'} id={`${id}-hint`}>
        {mistake ?? hint}
      </span>
    </div>
  );
};
