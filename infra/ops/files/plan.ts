/** Plans `ops apply`: the requests, in order, that make a stage match a file, each with a description. */
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../command-line/exit-codes.ts';
import { count } from '../commands/find.ts';
import { filled, type Group, type Hook, mapSecrets, titleOf, type Values, variablesIn } from './configuration.ts';

export interface Step {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly noun: 'integrations' | 'webhooks';
  readonly id?: string | undefined;
  readonly integration?: string;
  readonly body: object;
  /** What it is about, and what differs, a line each. */
  readonly title: string;
  readonly details: readonly string[];
  /** Variables that it needs and that have no value. */
  readonly missing: readonly string[];
  /** Those of them that form the `secret` of a new webhook. */
  readonly unsigned?: readonly string[];
}

interface Wanted {
  readonly prune: boolean;
  readonly secrets: boolean;
  readonly values: Values;
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const bare = (hook: Hook): Hook => mapSecrets(hook, () => null);

/** Returns the fields of `wanted` that differ, and a line for each. `id`, `webhooks` and `options` are left out. */
const differing = <T extends object>(present: T, wanted: T, prefix = '') => {
  const names = Object.keys(wanted).filter((name) => !['id', 'webhooks', 'options'].includes(name));
  const changed = names.filter((name) => !isDeepStrictEqual(Reflect.get(present, name), Reflect.get(wanted, name)));
  const lineOf = (name: string) =>
    `${prefix}${name}: ${shown(Reflect.get(present, name))} → ${shown(Reflect.get(wanted, name))}`;
  return { changed, lines: changed.map(lineOf) };
};

const picked = (of: object, names: Iterable<string>): object =>
  Object.fromEntries([...names].map((name) => [name, Reflect.get(of, name)]));

const missingIn = (text: string, values: Values): string[] =>
  variablesIn(text).filter((name) => values[name] === undefined);

const changesOf = (group: Group, present: Hook, wanted: Hook, { secrets, values }: Wanted): readonly Step[] => {
  const fields = differing(bare(present), bare(wanted));
  const options = differing(bare(present).options, bare(wanted).options, 'options.');
  // The stage never sends stored secrets to another target, or in another format.
  const isMoved = fields.changed.includes('target_url') || options.changed.includes('format');
  const known = Object.keys(present.options.headers).map((name) => `headers.${name.toLowerCase()}`);
  const isNew = (field: string) => field.startsWith('headers.') && !known.includes(field.toLowerCase());
  const missing: string[] = [];
  const parts = new Set(options.changed);
  const lines: string[] = [];
  const sent = mapSecrets(wanted, (field, text) => {
    if (text === null) return null;
    const isNeeded = field !== 'secret' && (isMoved || isNew(field));
    const unset = missingIn(text, values);
    if (isNeeded) missing.push(...unset);
    if (!isNeeded && (!secrets || unset.length > 0)) return null;
    if (field !== 'secret') parts.add(field.split('.')[0] ?? '');
    lines.push(`${field}: set from ${text}`);
    return filled(text, values);
  });
  const body = {
    ...picked(sent, fields.changed),
    ...(sent.secret !== null && { secret: sent.secret }),
    ...(parts.size > 0 && { options: picked(sent.options, parts) }),
  };
  const details = [...fields.lines, ...options.lines, ...lines];
  const title = titleOf(group, wanted);
  return details.length === 0
    ? []
    : [{ method: 'PUT', noun: 'webhooks', id: present.id, body, title, details, missing }];
};

const creationOf = (group: Group, hook: Hook, values: Values): Step => {
  const missing: string[] = [];
  const body = mapSecrets(hook, (_field, text) => {
    if (text === null) return null;
    missing.push(...missingIn(text, values));
    return filled(text, values);
  });
  const details = hook.name === null ? [] : [`${hook.event} → ${hook.target_url}`];
  const unsigned = missingIn(hook.secret ?? '', values);
  const title = titleOf(group, hook);
  return { method: 'POST', noun: 'webhooks', integration: group.name, body, title, details, missing, unsigned };
};

/** Finds the stage's webhook for each of a file: by name, else by event and target. @throws UsageError for several */
const matched = (group: Group, present: readonly Hook[]): ReadonlyMap<Hook, Hook> => {
  const found = new Map<Hook, Hook>();
  for (const hook of group.webhooks) {
    const [one, another] = hook.name === null ? [] : present.filter(({ name }) => name === hook.name);
    if (another !== undefined) throw new UsageError(`The stage has more than one ${titleOf(group, hook)}: rename one.`);
    if (one !== undefined) found.set(hook, one);
  }
  const taken = new Set(found.values());
  for (const hook of group.webhooks) {
    const one = present.find(({ event, target_url }) => event === hook.event && target_url === hook.target_url);
    if (!found.has(hook) && one !== undefined && !taken.has(one)) found.set(hook, one);
  }
  return found;
};

/**
 * Returns what makes a stage match the file. Deletions come first: no two webhooks may share event and target.
 * @throws UsageError if a name of the file stands for several things of the stage
 */
export const planOf = (file: readonly Group[], stage: readonly Group[], wanted: Wanted): readonly Step[] => {
  const nothing = { body: {}, details: [], missing: [] };
  const deletions: Step[] = [];
  const others: Step[] = [];
  const creations: Step[] = [];
  for (const group of file) {
    const title = titleOf(group);
    const [present, another] = stage.filter(({ name }) => name === group.name);
    if (another !== undefined) throw new UsageError(`The stage has more than one ${title}: rename one.`);
    const { webhooks, ...body } = group;
    const { changed, lines: details } = differing(present ?? body, body);
    if (present === undefined) others.push({ ...nothing, method: 'POST', noun: 'integrations', title, body });
    else if (changed.length > 0) {
      const { id } = present;
      others.push({ ...nothing, method: 'PUT', noun: 'integrations', id, title, body: picked(body, changed), details });
    }
    const pairs = matched(group, present?.webhooks ?? []);
    for (const hook of webhooks) {
      const one = pairs.get(hook);
      if (one === undefined) creations.push(creationOf(group, hook, wanted.values));
      else others.push(...changesOf(group, one, hook, wanted));
    }
    const kept = new Set(pairs.values());
    const left = present?.webhooks.filter((hook) => !kept.has(hook)) ?? [];
    for (const hook of left)
      deletions.push({ ...nothing, method: 'DELETE', noun: 'webhooks', id: hook.id, title: titleOf(group, hook) });
  }
  const names = new Set(file.map(({ name }) => name));
  for (const group of stage.filter(({ name }) => !names.has(name))) {
    const details = [`with its keys and ${count(group.webhooks.length, 'webhook')}`];
    deletions.push({
      ...nothing,
      method: 'DELETE',
      noun: 'integrations',
      id: group.id,
      title: titleOf(group),
      details,
    });
  }
  return [...(wanted.prune ? deletions : []), ...others, ...creations];
};
