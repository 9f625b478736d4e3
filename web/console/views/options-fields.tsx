/** The fields of a webhook's options: format, headers, filter, description. Secrets can be entered, never seen. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import {
  type Draft,
  type DraftHeader,
  exampleFilter,
  formatTypes,
  settingIn,
  settingsOf,
  withSetting,
} from '../api/options.ts';
import { usualPauseOf } from '../api/service.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { Check } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { TextArea } from '../ui/text-area.tsx';
import { describedBy, Mistake, TextField } from '../ui/text-field.tsx';

/** The API's maximum. */
const maxHeaders = 10;

/** Returns what is wrong with a field, by its name in the API. */
export type MistakeOf = (field: string) => string | undefined;

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly mistakeOf: MistakeOf;
  /** Whether stored secrets are kept: neither the target nor the format changes. */
  readonly isKept: boolean;
}

interface FormatFieldsProps extends FieldsProps {
  readonly onType: (type: Draft['type']) => void;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** Says what the webhook sends, which follows from its target URL unless changed, with the settings for it. */
export const FormatFields = (props: FormatFieldsProps): JSX.Element => {
  const { draft, onChange, mistakeOf, isKept, onType, isOpen, onOpen } = props;
  const { options } = useTexts();
  const id = useId();
  const list = useRef<HTMLSelectElement>(null);
  const wasOpen = useRef(isOpen);
  // The button that opens the list is gone.
  useEffect(() => {
    if (isOpen && !wasOpen.current) list.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const mistake = mistakeOf('format');
  return (
    <>
      {isOpen || mistake !== undefined ? (
        <div class="field">
          <label for={id}>{options.format}</label>
          <select
            ref={list}
            id={id}
            value={draft.type}
            {...describedBy(id, mistake, options.formatHints[draft.type])}
            onChange={(change) => onType(formatTypes.find((type) => type === inputValue(change)) ?? 'ghost')}
          >
            {formatTypes.map((type) => (
              <option key={type} value={type}>
                {options.formats[type]}
              </option>
            ))}
          </select>
          <Mistake id={`${id}-mistake`} text={mistake} />
          <span class="quiet" id={`${id}-hint`}>
            {options.formatHints[draft.type]}
          </span>
        </div>
      ) : (
        <p class="result good" role="status">
          <Icon of={Check} /> {options.sends[draft.type]}{' '}
          <button type="button" class="link" onClick={onOpen}>
            {options.changeFormat}
          </button>
        </p>
      )}
      {settingsOf[draft.type].map(({ name, kind }) => {
        const isStored = kind === 'secret' && isKept;
        const field = {
          label: options.settings[name],
          value: settingIn(draft, name),
          mistake: mistakeOf(`format.${name}`),
          onInput: (value: string): void => onChange(withSetting(draft, name, value)),
        };
        const hint = options.settingHints[name];
        if (kind === 'json') return <TextArea key={name} {...field} hint={hint} rows={8} />;
        return (
          <TextField
            key={name}
            {...field}
            type={kind === 'secret' ? 'password' : 'text'}
            isRequired={!isStored}
            autocomplete={kind === 'secret' ? 'new-password' : 'off'}
            hint={kind === 'secret' ? `${hint} ${isStored ? options.storedSecret : options.secretHint}` : hint}
          />
        );
      })}
    </>
  );
};

type PaceProps = Pick<FieldsProps, 'draft' | 'onChange' | 'mistakeOf'>;

/** Sends a burst of events once, after the last one. */
export const DebounceFields = ({ draft, onChange, mistakeOf }: PaceProps): JSX.Element => {
  const { options } = useTexts();
  const { debounce } = draft;
  const set = (changes: Partial<Draft['debounce']>): void =>
    onChange({ ...draft, debounce: { ...debounce, ...changes } });
  return (
    <fieldset class="picker">
      <legend>{options.debounce}</legend>
      <TextField
        inputMode="numeric"
        label={options.debounceSeconds}
        hint={options.debounceHint(debounce.seconds.trim())}
        value={debounce.seconds}
        mistake={mistakeOf('debounce.seconds') ?? mistakeOf('debounce')}
        onInput={(seconds) => set({ seconds })}
      />
      {debounce.seconds !== '' && (
        <>
          <TextField
            inputMode="numeric"
            label={options.debounceMax}
            hint={options.debounceMaxHint}
            value={debounce.max_seconds}
            mistake={mistakeOf('debounce.max_seconds')}
            onInput={(max_seconds) => set({ max_seconds })}
          />
          <label class="field">
            <span>{options.debouncePer}</span>
            <select value={debounce.per} onChange={(event) => set({ per: inputValue(event) })}>
              <option value="webhook">{options.debouncePers.webhook}</option>
              <option value="resource">{options.debouncePers.resource}</option>
            </select>
          </label>
        </>
      )}
    </fieldset>
  );
};

const ThrottleFields = ({ draft, onChange, mistakeOf }: PaceProps): JSX.Element => {
  const { options } = useTexts();
  const { throttle } = draft;
  const set = (changes: Partial<Draft['throttle']>): void =>
    onChange({ ...draft, throttle: { ...throttle, ...changes } });
  return (
    <fieldset class="picker">
      <legend>{options.throttle}</legend>
      <TextField
        inputMode="numeric"
        label={options.throttleRequests}
        hint={options.throttleHint}
        value={throttle.requests}
        mistake={mistakeOf('throttle.requests')}
        onInput={(requests) => set({ requests })}
      />
      <label class="field">
        <span>{options.throttlePer}</span>
        <select value={throttle.per} onChange={(event) => set({ per: inputValue(event) })}>
          <option value="second">{options.throttlePers.second}</option>
          <option value="minute">{options.throttlePers.minute}</option>
        </select>
      </label>
    </fieldset>
  );
};

interface OptionsFieldsProps extends FieldsProps {
  /** The webhook's events; empty if none is chosen yet. */
  readonly event: string;
}

/** What few webhooks need. */
export const OptionsFields = ({ draft, onChange, event, mistakeOf, isKept }: OptionsFieldsProps): JSX.Element => {
  const { options } = useTexts();
  const filter = useRef<HTMLDivElement>(null);
  const set = (changes: Partial<Draft>): void => onChange({ ...draft, ...changes });
  return (
    <>
      <Headers headers={draft.headers} isKept={isKept} mistakeOf={mistakeOf} onChange={(headers) => set({ headers })} />
      <div class="snippet" ref={filter}>
        <TextArea
          label={options.filter}
          hint={options.filterHint}
          mistake={mistakeOf('filter')}
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
      {usualPauseOf(draft.type) === '' && <DebounceFields draft={draft} onChange={onChange} mistakeOf={mistakeOf} />}
      <ThrottleFields draft={draft} onChange={onChange} mistakeOf={mistakeOf} />
      <TextField
        label={options.description}
        hint={options.descriptionHint}
        maxLength={500}
        value={draft.description}
        mistake={mistakeOf('description')}
        onInput={(description) => set({ description })}
      />
    </>
  );
};

interface HeadersProps {
  readonly isKept: boolean;
  readonly headers: readonly DraftHeader[];
  readonly mistakeOf: MistakeOf;
  readonly onChange: (headers: readonly DraftHeader[]) => void;
}

const Headers = ({ headers, isKept, mistakeOf, onChange }: HeadersProps): JSX.Element => {
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
            mistake={mistakeOf(`headers.${name}`)}
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
            mistake={mistakeOf(`headers.${name}.value`)}
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
