/** A webhook's options as the form edits them, and their conversion to and from the API. */
import type { previewResource, trialResource } from '../../../shared/deliveries/log/resource.ts';
import type { Resource } from '../../../shared/foundation/resource.ts';
import type { OptionsResource } from '../../../shared/webhooks/options-resource.ts';

export type Options = OptionsResource;
export type Preview = Resource<typeof previewResource>;
export type Trial = Resource<typeof trialResource>;

export type SettingName = 'token' | 'application_id' | 'api_key' | 'template';

interface Setting {
  readonly name: SettingName;
  /** A secret can be sent but is never returned. */
  readonly kind: 'text' | 'secret' | 'json';
}

const apiKey: Setting = { name: 'api_key', kind: 'secret' };

/** The settings of each format in the order of the form. A test compares them with `shared/formats`. */
export const settingsOf = {
  ghost: [],
  slack: [],
  discord: [],
  teams: [],
  github: [{ name: 'token', kind: 'secret' }],
  'deploy-hook': [],
  meilisearch: [apiKey],
  algolia: [{ name: 'application_id', kind: 'text' }, apiKey],
  template: [{ name: 'template', kind: 'json' }],
} as const satisfies Readonly<Record<string, readonly Setting[]>>;

export type FormatType = keyof typeof settingsOf;
export const formatTypes = Object.keys(settingsOf) as readonly FormatType[];

const isFormatType = (text: unknown): text is FormatType => formatTypes.some((type) => type === text);

export interface DraftHeader {
  readonly key: number;
  readonly name: string;
  /** Empty for a stored value, which is then kept. */
  readonly value: string;
  readonly isStored: boolean;
}

type Settings = Readonly<Partial<Record<SettingName, string>>>;

export interface Draft {
  readonly description: string;
  readonly type: FormatType;
  /** By format, so that those of one are still there after a look at another. */
  readonly settings: Readonly<Partial<Record<FormatType, Settings>>>;
  readonly headers: readonly DraftHeader[];
  /** JSON; empty for none. */
  readonly filter: string;
  /** In seconds; empty for none. */
  readonly debounce: { readonly seconds: string; readonly max_seconds: string; readonly per: string };
  /** Empty for none. */
  readonly throttle: { readonly requests: string; readonly per: string };
}

export const newDraft: Draft = {
  description: '',
  type: 'ghost',
  settings: {},
  headers: [],
  filter: '',
  debounce: { seconds: '', max_seconds: '', per: 'webhook' },
  throttle: { requests: '', per: 'second' },
};

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

/** Returns the form of stored options. */
export const draftOf = ({ description, format, headers, filter, debounce, throttle }: Options): Draft => {
  const type = isFormatType(format.type) ? format.type : 'ghost';
  const settings = settingsOf[type].map(({ name, kind }) => {
    const value = format[name];
    return [name, kind === 'json' ? indented(value) : typeof value === 'string' ? value : ''];
  });
  return {
    description: description ?? '',
    type,
    settings: { [type]: Object.fromEntries(settings) },
    headers: Object.keys(headers).map((name, key) => ({ key, name, value: '', isStored: true })),
    filter: filter === null ? '' : indented(filter),
    debounce:
      debounce === null
        ? newDraft.debounce
        : { seconds: `${debounce.seconds}`, max_seconds: `${debounce.max_seconds}`, per: debounce.per },
    throttle: throttle === null ? newDraft.throttle : { ...throttle, requests: `${throttle.requests}` },
  };
};

/** Returns a setting of the chosen format as it was typed. */
export const settingIn = ({ type, settings }: Draft, name: SettingName): string => settings[type]?.[name] ?? '';

/** Returns the form with another value of a setting of the chosen format. */
export const withSetting = (draft: Draft, name: SettingName, value: string): Draft => ({
  ...draft,
  settings: { ...draft.settings, [draft.type]: { ...draft.settings[draft.type], [name]: value } },
});

/** The field of the form that is not valid JSON. */
export type Mistake = 'filter' | 'template';

export const mistakeIn = (draft: Draft): Mistake | undefined => {
  if (draft.type === 'template' && !isJson(settingIn(draft, 'template'))) return 'template';
  return draft.filter.trim() === '' || isJson(draft.filter) ? undefined : 'filter';
};

/** Returns the settings and the headers that still need a value. @param isKept whether stored secrets are kept */
export const missingIn = (draft: Draft, isKept: boolean): { settings: SettingName[]; headers: DraftHeader[] } => ({
  settings: settingsOf[draft.type].flatMap(({ name, kind }) =>
    settingIn(draft, name).trim() === '' && !(kind === 'secret' && isKept) ? [name] : [],
  ),
  headers: draft.headers.filter(
    ({ name, value, isStored }) => name.trim() !== '' && value === '' && !(isStored && isKept),
  ),
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Returns whether options have secrets, which another target gets only if they are sent again. */
export const hasSecrets = ({ type, headers }: Draft): boolean =>
  headers.length > 0 || settingsOf[type].some(({ kind }) => kind === 'secret');

/** Returns whether a form has the format of another but for its secrets: the API then keeps stored values. */
export const isSameFormat = (one: Draft, other: Draft): boolean =>
  one.type === other.type &&
  settingsOf[one.type].every(({ name, kind }) => kind === 'secret' || settingIn(one, name) === settingIn(other, name));

/** Returns the API's input for a form without mistakes. An empty secret becomes null, which keeps the stored one. */
export const optionsOf = (draft: Draft): object => ({
  description: draft.description,
  format: {
    type: draft.type,
    ...Object.fromEntries(
      settingsOf[draft.type].map(({ name, kind }) => {
        const typed = settingIn(draft, name);
        return [name, kind === 'json' ? JSON.parse(typed) : kind === 'secret' && typed === '' ? null : typed];
      }),
    ),
  },
  headers: Object.fromEntries(
    draft.headers
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value, isStored }) => [name.trim(), value === '' && isStored ? null : value]),
  ),
  filter: draft.filter.trim() === '' ? null : JSON.parse(draft.filter),
  debounce: debounceOf(draft),
  throttle:
    draft.throttle.requests.trim() === '' ? null : { ...draft.throttle, requests: Number(draft.throttle.requests) },
});

/** In seconds, of the API. */
const longestDebounce = 86_400;

/** Without another wish, a burst is delivered at the latest after ten times the pause that ends it. */
const debounceOf = ({ debounce: { seconds, max_seconds, per } }: Draft): object | null => {
  if (seconds.trim() === '') return null;
  const pause = Number(seconds);
  const latest = max_seconds.trim() === '' ? Math.min(10 * pause, longestDebounce) : Number(max_seconds);
  return { seconds: pause, max_seconds: latest, per };
};

/** Returns an example filter for an event. */
export const exampleFilter = (event: string): string => {
  const [resource = ''] = event.split('.', 1);
  if (resource === 'post' || resource === 'page')
    return indented({ [resource]: { current: { visibility: ['public'], tags: { slug: ['news'] } } } });
  if (resource === 'member') return indented({ member: { current: { status: [{ 'anything-but': 'free' }] } } });
  if (event === 'site.changed') return indented({ event: [event] });
  return indented({ [resource]: { current: { name: [{ exists: true }] } } });
};
