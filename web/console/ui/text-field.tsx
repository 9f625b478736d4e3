/** A field for a line of text: a label, the input, and below it what is wrong with its value, and a hint. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { inputValue } from './input-value.ts';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  /** What is wrong with the value; undefined if it is valid. */
  readonly mistake?: string | undefined;
  readonly type?: 'text' | 'email' | 'url' | 'password';
  readonly inputMode?: 'numeric';
  readonly isRequired?: boolean;
  /** Whether it takes the focus when it appears: it is the only field of its view. */
  readonly takesFocus?: boolean;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
}

export const TextField = (props: TextFieldProps): JSX.Element => {
  const { label, value, onInput, hint, mistake, type = 'text', isRequired = false, autocomplete = 'off' } = props;
  const { placeholder, maxLength } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.takesFocus) input.current?.focus();
  }, []);
  return (
    <div class="field wide">
      <label for={id}>
        <span>{label}</span>
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <input
        ref={input}
        id={id}
        // JSX has a separate type of props for each type of input. Browsers would check a URL in words of their own.
        {...(type === 'password' ? { type } : type === 'email' ? { type } : { type: 'text' })}
        inputMode={props.inputMode ?? (type === 'url' ? 'url' : 'text')}
        value={value}
        required={isRequired}
        autocomplete={autocomplete}
        spellcheck={false}
        {...(placeholder !== undefined && { placeholder })}
        {...(maxLength !== undefined && { maxLength })}
        {...describedBy(id, mistake, hint)}
        onInput={(event) => onInput(inputValue(event))}
      />
      <Mistake id={`${id}-mistake`} text={mistake} />
      {hint !== undefined && (
        <span class="quiet" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
};

/** Returns the attributes that describe a field and its mistake. @param id of the field, a prefix of the texts' ids */
export const describedBy = (id: string, mistake: string | undefined, hint: string | undefined) => {
  const ids = [...(mistake === undefined ? [] : [`${id}-mistake`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(mistake !== undefined && { 'aria-invalid': true }),
  };
};

interface MistakeProps {
  readonly id: string;
  readonly text: string | undefined;
}

/** What is wrong with a field, by its side. */
export const Mistake = ({ id, text }: MistakeProps): JSX.Element | null =>
  text === undefined ? null : (
    <span class="mistake" id={id}>
      {text}
    </span>
  );
