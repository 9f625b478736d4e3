/** The fields of a webhook's options: format, headers, filter, description. Secrets can be entered but are never shown. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import {
  type Draft,
  type DraftHeader,
  exampleFilter,
  formatTypes,
  isSameFormat,
  mistakeIn,
  type SettingName,
  secretSettingsOf,
  settingsOf,
} from '../api/options.ts';
import { useTexts } from '../texts/dictionary.ts';
import { inputValue } from '../ui/input-value.ts';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';

/** The API's maximum. */
const maxHeaders = 10;

interface OptionsFieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** The webhook's event; empty if none is chosen yet. */
  readonly event: string;
  /** The stored options; undefined for a new webhook. Their secrets are kept while the format stays the same. */
  readonly stored: Draft | undefined;
}

export const OptionsFields = ({ draft, onChange, event, stored }: OptionsFieldsProps): JSX.Element => {
  const { options } = useTexts();
  const mistake = mistakeIn(draft);
  const isKept = stored !== undefined && isSameFormat(stored, draft);
  const filter = useRef<HTMLDivElement>(null);
  const set = (changes: Partial<Draft>): void => onChange({ ...draft, ...changes });
  const setType = (chosen: string): void =>
    set({ type: formatTypes.find((type) => type === chosen) ?? 'ghost', settings: {} });
  return (
    <>
      <label class="field">
        <span>{options.format}</span>
        <select value={draft.type} onChange={(change) => setType(inputValue(change))}>
          {formatTypes.map((type) => (
            <option key={type} value={type}>
              {options.formats[type]}
            </option>
          ))}
        </select>
        <span class="quiet">{options.formatHints[draft.type]}</span>
      </label>
      {settingsOf[draft.type].map(({ name, kind }) => {
        const field = { name, value: draft.settings[name] ?? '', isStored: isKept };
        const onInput = (value: string): void => set({ settings: { ...draft.settings, [name]: value } });
        return kind === 'json' ? (
          <TextArea
            key={name}
            label={options.settings[name]}
            hint={options.settingHints[name]}
            mistake={mistake === 'template' && field.value !== '' ? options.noJson : undefined}
            rows={8}
            value={field.value}
            onInput={onInput}
          />
        ) : (
          <Setting key={name} {...field} isSecret={kind === 'secret'} onInput={onInput} />
        );
      })}
      <Headers headers={draft.headers} isKept={isKept} onChange={(headers) => set({ headers })} />
      <div class="snippet" ref={filter}>
        <TextArea
          label={options.filter}
          hint={options.filterHint}
          mistake={mistake === 'filter' ? options.noJson : undefined}
          rows={6}
          value={draft.filter}
          onInput={(filter) => set({ filter })}
        />
        {draft.filter.trim() === '' && event !== '' && (
          <div class="actions">
            <wa-button
              size="s"
              appearance="outlined"
              onClick={() => {
                set({ filter: exampleFilter(eventsIn(event, [])[0] ?? event) });
                // The button is not shown any more.
                filter.current?.querySelector('textarea')?.focus();
              }}
            >
              {options.insertExample}
            </wa-button>
          </div>
        )}
      </div>
      <TextField
        label={options.description}
        hint={options.descriptionHint}
        maxLength={500}
        value={draft.description}
        onInput={(description) => set({ description })}
      />
    </>
  );
};

interface SecretsAgainProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** The secrets of stored options, which another target gets only if they are entered again. */
export const SecretsAgain = ({ draft, onChange }: SecretsAgainProps): JSX.Element => {
  const { options } = useTexts();
  return (
    <fieldset class="picker headers">
      <legend>{options.secretsAgain}</legend>
      <p class="quiet">{options.secretsAgainHelp}</p>
      {secretSettingsOf(draft).map((name) => (
        <Setting
          key={name}
          name={name}
          value={draft.settings[name] ?? ''}
          isSecret
          isStored={false}
          onInput={(value) => onChange({ ...draft, settings: { ...draft.settings, [name]: value } })}
        />
      ))}
      {draft.headers.map(({ key, name, value }) => (
        <TextField
          key={key}
          type="password"
          isRequired
          autocomplete="new-password"
          maxLength={1000}
          label={name}
          hint={options.secretHint}
          value={value}
          onInput={(typed) =>
            onChange({
              ...draft,
              headers: draft.headers.map((one) => (one.key === key ? { ...one, value: typed } : one)),
            })
          }
        />
      ))}
    </fieldset>
  );
};

interface SettingProps {
  readonly name: SettingName;
  readonly value: string;
  readonly isSecret: boolean;
  readonly isStored: boolean;
  readonly onInput: (value: string) => void;
}

const Setting = ({ name, value, isSecret, isStored, onInput }: SettingProps): JSX.Element => {
  const { options } = useTexts();
  const hint = options.settingHints[name];
  return (
    <TextField
      type={isSecret ? 'password' : 'text'}
      isRequired={!(isSecret && isStored)}
      autocomplete={isSecret ? 'new-password' : 'off'}
      label={options.settings[name]}
      hint={isSecret ? `${hint} ${isStored ? options.storedSecret : options.secretHint}` : hint}
      value={value}
      onInput={onInput}
    />
  );
};

interface HeadersProps {
  /** Whether stored values are kept. */
  readonly isKept: boolean;
  readonly headers: readonly DraftHeader[];
  readonly onChange: (headers: readonly DraftHeader[]) => void;
}

const Headers = ({ headers, isKept, onChange }: HeadersProps): JSX.Element => {
  const { options } = useTexts();
  const set = (key: number, changes: Partial<DraftHeader>): void =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...changes } : header)));
  const box = useRef<HTMLFieldSetElement>(null);
  const count = useRef(headers.length);
  const add = (): void => {
    const key = Math.max(-1, ...headers.map((header) => header.key)) + 1;
    onChange([...headers, { key, name: '', value: '', isStored: false }]);
  };
  // A new header's name gets the focus. When a header is removed together with its button, the focus stays here.
  useEffect(() => {
    const isMore = headers.length > count.current;
    const isLess = headers.length < count.current;
    count.current = headers.length;
    const wanted = isMore ? '.header:nth-last-of-type(2) input' : '.actions wa-button';
    if (isMore || isLess) box.current?.querySelector<HTMLElement>(wanted)?.focus();
  }, [headers.length]);
  return (
    <fieldset class="picker headers" ref={box}>
      <legend>{options.headers}</legend>
      {headers.length === 0 && <p class="quiet">{options.noHeaders}</p>}
      {headers.map(({ key, name, value, isStored }) => (
        <div key={key} class="header">
          <TextField
            label={options.headerName}
            maxLength={100}
            placeholder="Authorization"
            value={name}
            // A header with another name has no stored value.
            onInput={(typed) => set(key, { name: typed, isStored: false })}
          />
          <TextField
            type="password"
            autocomplete="new-password"
            maxLength={1000}
            label={options.headerValue}
            isRequired={isStored && !isKept}
            hint={isStored && isKept ? options.storedValue : options.secretHint}
            value={value}
            onInput={(typed) => set(key, { value: typed })}
          />
          <wa-button
            size="s"
            appearance="plain"
            onClick={() => onChange(headers.filter((header) => header.key !== key))}
          >
            {options.removeHeader(name)}
          </wa-button>
        </div>
      ))}
      <div class="actions">
        <wa-button size="s" appearance="outlined" disabled={headers.length === maxHeaders} onClick={add}>
          {options.addHeader}
        </wa-button>
      </div>
    </fieldset>
  );
};
