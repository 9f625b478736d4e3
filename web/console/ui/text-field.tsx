/** A field for a line of text: a label, the input, and a hint below. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { inputValue } from './input-value.ts';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly type?: 'text' | 'email' | 'url' | 'password';
  readonly isRequired?: boolean;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
}

export const TextField = (props: TextFieldProps): JSX.Element => {
  const { label, value, onInput, hint, type = 'text', isRequired = false, autocomplete = 'off' } = props;
  const { placeholder, maxLength } = props;
  const id = useId();
  return (
    <div class="field wide">
      <label for={id}>
        <span>{label}</span>
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <input
        id={id}
        // JSX has a separate type of props for each type of input.
        {...(type === 'password' ? { type } : type === 'email' ? { type } : type === 'url' ? { type } : { type })}
        value={value}
        required={isRequired}
        autocomplete={autocomplete}
        spellcheck={false}
        {...(placeholder !== undefined && { placeholder })}
        {...(maxLength !== undefined && { maxLength })}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onInput={(event) => onInput(inputValue(event))}
      />
      {hint !== undefined && (
        <span class="quiet" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
};
