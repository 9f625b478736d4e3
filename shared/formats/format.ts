/** The formats of a webhook's requests: one file for each service, and what they have in common. */
import * as v from 'valibot';
import { objectOf } from '../foundation/fields.ts';
import { present } from '../foundation/resource.ts';
import { algolia } from './algolia.ts';
import { deployHook } from './deploy-hook.ts';
import { discord } from './discord.ts';
import { github } from './github.ts';
import { meilisearch } from './meilisearch.ts';
import type { Answer, Format, Preset } from './preset.ts';
import type { Rendered, Rendering } from './rendering.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { template } from './template.ts';

/** All formats but `ghost`, which leaves the request as it is. */
const presets: Readonly<Record<string, Preset<never>>> = {
  slack,
  discord,
  teams,
  github,
  'deploy-hook': deployHook,
  meilisearch,
  algolia,
  template,
};

export const formatTypes: readonly string[] = ['ghost', ...Object.keys(presets)];

const schemaOf = (type: string, settings: v.ObjectEntries) => objectOf({ type: v.literal(type), ...settings });

const schemas = [
  schemaOf('ghost', {}),
  ...Object.entries(presets).map(([type, { settings }]) => schemaOf(type, settings)),
];

export const formatSchema: v.GenericSchema<unknown, Format> = v.variant(
  'type',
  schemas as [(typeof schemas)[number]],
  // valibot adds a path if the object has a `type`, but an unknown one.
  ({ path }) => `must be ${path === undefined ? 'an object with a `type` of' : 'one of'} ${formatTypes.join(', ')}.`,
) as v.GenericSchema<unknown, Format>;

const presetOf = ({ type }: Format): Preset<never> | undefined =>
  Object.hasOwn(presets, type) ? presets[type] : undefined;

/** Returns a format as clients see it: its secrets are null. */
export const presentFormat = (format: Format): Format =>
  present(v.strictObject({ type: v.string(), ...presetOf(format)?.settings }), format as never) as Format;

const secretsOf = (format: Format): string[] => {
  const settings = presetOf(format)?.settings ?? {};
  return Object.keys(settings).filter((name) => 'isSecret' in (settings[name] ?? {}));
};

/** Returns the names of the secrets that keep their stored values; undefined for a format that is not sent. */
export const keptSecrets = (stored: Format, sent: Format | undefined): string[] =>
  sent === undefined
    ? secretsOf(stored)
    : secretsOf(sent).filter((name) => (sent[name] ?? null) === null && sent.type === stored.type);

/** Fills secrets that were sent as null from the stored format; also returns the names of those that it lacks. */
export const withSecrets = (format: Format, stored: Format | undefined): { format: Format; missing: string[] } => {
  const secrets = secretsOf(format);
  const known = stored?.type === format.type ? stored : undefined;
  const filled = Object.fromEntries(secrets.map((name) => [name, format[name] ?? known?.[name] ?? null]));
  return { format: { ...format, ...filled }, missing: secrets.filter((name) => filled[name] === null) };
};

/** Returns why a webhook for this event and target cannot have the format, as the end of a sentence. */
export const misfitOf = (format: Format, event: string, targetUrl: string): string | undefined =>
  presetOf(format)?.misfit?.(event, targetUrl);

/** Renders an event; undefined for a format that leaves the request as it is. */
export const render = (format: Format, targetUrl: string, rendering: () => Rendering): Rendered | undefined =>
  presetOf(format)?.render(rendering(), format as never, targetUrl);

/** Returns the answer to a rendered request, as HTTP means it. */
export const readAnswer = <Read extends Answer>(format: Format, answer: Read): Read => ({
  ...answer,
  ...presetOf(format)?.read?.(answer),
});
