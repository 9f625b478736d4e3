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
  /** Identifies a row of the form. */
  readonly key: number;
  readonly name: string;
  /** Empty for a stored value, which is then kept. */
  readonly value: string;
  readonly isStored: boolean;
}

/** The content of the form: texts as they were typed. */
export interface Draft {
  readonly description: string;
  readonly type: FormatType;
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
  readonly headers: readonly DraftHeader[];
  /** JSON; empty for none. */
  readonly filter: string;
}

export const newDraft: Draft = { description: '', type: 'ghost', settings: {}, headers: [], filter: '' };

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

/** Returns the form of stored options. */
export const draftOf = ({ description, format, headers, filter }: Options): Draft => {
  const type = isFormatType(format.type) ? format.type : 'ghost';
  const settings = settingsOf[type].map(({ name, kind }) => {
    const value = format[name];
    return [name, kind === 'json' ? indented(value) : typeof value === 'string' ? value : ''];
  });
  return {
    description: description ?? '',
    type,
    settings: Object.fromEntries(settings),
    headers: Object.keys(headers).map((name, key) => ({ key, name, value: '', isStored: true })),
    filter: filter === null ? '' : indented(filter),
  };
};

/** The field of the form that is not valid JSON. */
export type Mistake = 'filter' | 'template';

export const mistakeIn = ({ type, settings, filter }: Draft): Mistake | undefined => {
  if (type === 'template' && !isJson(settings.template ?? '')) return 'template';
  return filter.trim() === '' || isJson(filter) ? undefined : 'filter';
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Returns the settings of a form that are secrets. */
export const secretSettingsOf = ({ type }: Draft): SettingName[] =>
  settingsOf[type].flatMap(({ name, kind }) => (kind === 'secret' ? [name] : []));

/** Returns whether options have secrets, which another target gets only if they are sent again. */
export const hasSecrets = (draft: Draft): boolean => draft.headers.length > 0 || secretSettingsOf(draft).length > 0;

/** Returns whether a form has the format of another but for its secrets: the API then keeps stored values. */
export const isSameFormat = (one: Draft, other: Draft): boolean =>
  one.type === other.type &&
  settingsOf[one.type].every(({ name, kind }) => kind === 'secret' || one.settings[name] === other.settings[name]);

/** Returns the API's input for a form without mistakes. An empty secret becomes null, which keeps the stored one. */
export const optionsOf = ({ description, type, settings, headers, filter }: Draft): object => ({
  description,
  format: {
    type,
    ...Object.fromEntries(
      settingsOf[type].map(({ name, kind }) => {
        const typed = settings[name] ?? '';
        return [name, kind === 'json' ? JSON.parse(typed) : kind === 'secret' && typed === '' ? null : typed];
      }),
    ),
  },
  headers: Object.fromEntries(
    headers
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value, isStored }) => [name.trim(), value === '' && isStored ? null : value]),
  ),
  filter: filter.trim() === '' ? null : JSON.parse(filter),
});

/** Returns an example filter for an event. */
export const exampleFilter = (event: string): string => {
  const [resource = ''] = event.split('.', 1);
  if (resource === 'post' || resource === 'page')
    return indented({ [resource]: { current: { visibility: ['public'], tags: { slug: ['news'] } } } });
  if (resource === 'member') return indented({ member: { current: { status: [{ 'anything-but': 'free' }] } } });
  if (event === 'site.changed') return indented({ event: [event] });
  return indented({ [resource]: { current: { name: [{ exists: true }] } } });
};
