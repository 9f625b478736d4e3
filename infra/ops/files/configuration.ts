/** The file of `ops export` and `ops apply`: integrations, webhooks, options, and variables in the place of secrets. */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { keptSecrets } from '../../../shared/formats/format.ts';
import { currentApiVersion } from '../../../shared/foundation/api-version.ts';
import { creationOf } from '../../../shared/foundation/fields.ts';
import { settableEntries, settableFields } from '../../../shared/foundation/resource.ts';
import { integrationResource } from '../../../shared/integrations/integration.ts';
import { newIntegration } from '../../../shared/integrations/schema.ts';
import { optionsChanges } from '../../../shared/webhooks/options.ts';
import { isSigned, noOptions, type Options } from '../../../shared/webhooks/options-resource.ts';
import { webhookResource } from '../../../shared/webhooks/webhook.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import type { Integration, Options as StageOptions, Webhook } from '../api/resources.ts';

// The rules that depend on a stage, such as its own events, are the stage's.
const webhookFields = creationOf(settableEntries(webhookResource));
const { api_keys: _, ...integrationFields } = newIntegration.entries;
const hookSchema = v.strictObject({
  ...webhookFields,
  api_version: v.optional(webhookFields.api_version, currentApiVersion),
  options: v.pipe(
    v.optional(v.strictObject(optionsChanges.entries), {}),
    v.transform(({ headers, format, ...options }): FileOptions => {
      const given = { headers: headers ?? noOptions.headers, format: format ?? noOptions.format };
      return { ...noOptions, ...options, ...(given as Pick<FileOptions, 'headers' | 'format'>) };
    }),
  ),
});
const groupSchema = v.strictObject({ ...integrationFields, webhooks: v.optional(v.array(hookSchema), []) });
const fileSchema = v.pipe(v.string(), v.parseJson(), v.strictObject({ integrations: v.array(groupSchema) }));

type FileOptions = Omit<Options, 'headers'> & { readonly headers: Readonly<Record<string, string | null>> };

/** A webhook in a file, or in a stage: then with its id, and without secrets. */
export type Hook = v.InferOutput<typeof hookSchema> & { readonly id?: string };

/** An integration in a file, or in a stage: then with its id. */
export type Group = Omit<v.InferOutput<typeof groupSchema>, 'webhooks'> & {
  readonly id?: string;
  readonly webhooks: readonly Hook[];
};

/** Returns a webhook with other texts for its secrets: `secret`, `headers.Authorization`, `format.token`. */
export const mapSecrets = (hook: Hook, to: (field: string, text: string | null) => string | null): Hook => {
  const { headers, format } = hook.options;
  const mapped = (part: string, values: object, names: readonly string[]) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        names.includes(name) ? to(`${part}.${name}`, value) : value,
      ]),
    );
  return {
    ...hook,
    secret: to('secret', hook.secret),
    options: {
      ...hook.options,
      headers: mapped('headers', headers, Object.keys(headers)),
      format: { type: format.type, ...mapped('format', format, keptSecrets(format, undefined)) },
    },
  };
};

export type Values = Readonly<Record<string, string | undefined>>;

const variable = /\$\{([A-Za-z_]\w*)\}/g;

/** Returns the names of the variables in a text. */
export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(variable)].map(([, name = '']) => name);

/** Returns a text with the values of its variables. */
export const filled = (text: string, values: Values): string =>
  text.replace(variable, (_match, name: string) => values[name] ?? '');

/** Returns how people find an object in the file. */
export const titleOf = ({ name }: Pick<Group, 'name'>, hook?: Pick<Hook, 'name' | 'event' | 'target_url'>): string =>
  hook === undefined ? `integration ${name}` : `webhook ${name} / ${hook.name ?? `${hook.event} → ${hook.target_url}`}`;

/** @throws UsageError if a name, or a webhook's event and target, occurs twice */
const refuseDoubles = (groups: readonly Group[]): void => {
  const names = groups.flatMap((group) => [
    titleOf(group),
    ...group.webhooks.flatMap((hook) => [
      ...(hook.name === null ? [] : [titleOf(group, hook)]),
      `webhook for ${hook.event} → ${hook.target_url}`,
    ]),
  ]);
  const doubles = [...Map.groupBy(names, (name) => name)].filter(([, { length }]) => length > 1);
  if (doubles.length > 0)
    throw new UsageError(doubles.map(([name]) => `There is more than one ${name}: rename all but one.`).join('\n'));
};

const sentenceEnd: v.ErrorMessage<v.BaseIssue<unknown>> = ({ type, expected, received }) => {
  if (type === 'parse_json') return `is not JSON: ${received}.`;
  if (expected === 'never') return 'is unknown.';
  return received === 'undefined' ? 'is missing.' : `must be ${expected}; it is ${received}.`;
};

/**
 * Returns what a file has, with the values of the variables in targets.
 * @throws UsageError for what is wrong or ambiguous in it, and for variables of targets without a value
 */
export const parseFile = (text: string, values: Values): readonly Group[] => {
  const { success, output, issues } = v.safeParse(fileSchema, text, { message: sentenceEnd });
  if (!success)
    throw new UsageError(
      issues.map((issue) => `${v.getDotPath(issue)?.replace(/.*/, '`$&`') ?? 'The file'} ${issue.message}`).join('\n'),
    );
  const problems: string[] = [];
  const groups = output.integrations.map((group) => ({
    ...group,
    webhooks: group.webhooks.map((hook) => {
      const title = titleOf(group, hook);
      const check = (field: string, text: string) => {
        const foreign = variablesIn(text).filter((name) => !name.startsWith('WEBHOOK_'));
        // A file must not send the operator's AWS credentials to a target.
        if (foreign.length > 0)
          problems.push(`${title}: ${field} names ${foreign.join(', ')}; variables begin with WEBHOOK_.`);
      };
      check('target_url', hook.target_url);
      mapSecrets(hook, (field, secret) => {
        if (secret === null ? field !== 'secret' : variablesIn(secret).length === 0)
          problems.push(
            `${title}: ${field} must name a variable, such as \${WEBHOOK_TOKEN}, because a file has no secrets.`,
          );
        check(field, secret ?? '');
        return secret;
      });
      const missing = variablesIn(hook.target_url).filter((name) => values[name] === undefined);
      if (missing.length > 0) problems.push(`${title}: its target needs the variable ${missing.join(', ')}.`);
      return { ...hook, target_url: filled(hook.target_url, values) };
    }),
  }));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  refuseDoubles(groups);
  return groups;
};

/** Returns a webhook of a stage with its options, if it has some. */
export const hookOf = (webhook: Webhook, options: StageOptions | undefined): Hook => {
  const { left_out: _, ...known } = options ?? { ...noOptions, left_out: 0 };
  return { id: webhook.id, ...settableFields(webhookResource, webhook), options: known as FileOptions };
};

/** Returns an integration of a stage with its webhooks. */
export const groupOf = (integration: Integration, webhooks: readonly Hook[]): Group => ({
  id: integration.id,
  ...settableFields(integrationResource, integration),
  webhooks,
});

const sortedBy = <T>(items: readonly T[], textOf: (item: T) => string): readonly T[] =>
  items.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));

/** Leaves out ids, and what has its default: null, false, and options that do nothing. */
const shortened = (fields: object, defaults: object = {}) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        name !== 'id' && value !== null && value !== false && !isDeepStrictEqual(value, Object(defaults)[name]),
    ),
  );

/** Returns the file's text, in an order that depends on its content only. @throws UsageError for ambiguous names */
export const fileOf = (groups: readonly Group[]): string => {
  refuseDoubles(groups);
  const taken = new Set<string>();
  const variableFor = (...parts: readonly string[]): string => {
    const words =
      ['webhook', ...parts]
        .join(' ')
        .normalize('NFKD')
        .toUpperCase()
        .match(/[A-Z0-9]+/g) ?? [];
    let name = words.join('_');
    for (let count = 2; taken.has(name); count++) name = [...words, count].join('_');
    taken.add(name);
    return `\${${name}}`;
  };
  const integrations = sortedBy(groups, ({ name }) => name).map(({ webhooks, ...group }) => ({
    ...shortened(group),
    webhooks: sortedBy(webhooks, (hook) => titleOf(group, hook)).map((hook) => {
      const { options, ...fields } = mapSecrets(hook, (field) =>
        field === 'secret' && !isSigned(hook.options.format)
          ? null
          : variableFor(group.name, hook.name ?? hook.event, field.split('.').at(-1) ?? ''),
      );
      const own = shortened(options, noOptions);
      return { ...shortened(fields), ...(Object.keys(own).length > 0 && { options: own }) };
    }),
  }));
  return JSON.stringify({ integrations }, null, 2);
};
