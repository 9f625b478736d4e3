/**
 * Sample events (`test/events/*.json`, one a function), which may speak of what is not known before they are used:
 *
 *   {{token of Owner}}                              a fresh token of a seeded key: a role, or `integration`
 *   {{answer of webhooks/create: webhooks.0.id}}    a value in what another function answers to its own sample event
 *   {{message of events/publish to events}}         the body of the last message that another function then sends to a queue
 *   {{call of mail/send: /invitation/([^/]+)/}}   what the group matches in one of the AWS calls that it makes
 *   {{unique}}                                      text that no other event has
 *
 * They are resolved from top to bottom, so a reference also says what has to happen before.
 * A step of a path is a member's name, a position, or `name=Author`: the first of a list that has this value.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const folder = join(import.meta.dirname, '../../../test/events');

/** What a reference stands for. */
export interface Sources {
  token(whose: string): string;
  /** What the function answers to its sample event: runs it, the first time. */
  answerOf(functionName: string): Promise<unknown>;
  messageOf(functionName: string, queue: string): Promise<string>;
  /** Text of all AWS calls that the function makes for its sample event. */
  callsOf(functionName: string): Promise<string>;
}

/** Where a function's sample event lies: `test/events/webhooks-update.json` for `webhooks/update`. */
export const sampleEventFile = (functionName: string): string =>
  join(folder, `${functionName.replaceAll('/', '-')}.json`);

/** Reads an event and puts what they stand for in place of its references. @throws Error that names file and reference */
export const readEvent = async (file: string, sources: Sources): Promise<unknown> =>
  fillIn(JSON.parse(readFileSync(file, 'utf8')), sources, file);

const fillIn = async (value: unknown, sources: Sources, file: string): Promise<unknown> => {
  if (typeof value === 'string') return fillInText(value, sources, file);
  if (typeof value !== 'object' || value === null) return value;
  // One after the other: functions run in the order in which the event refers to them.
  const filled: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) filled.push([key, await fillIn(item, sources, file)]);
  return Array.isArray(value) ? filled.map(([, item]) => item) : Object.fromEntries(filled);
};

const fillInText = async (text: string, sources: Sources, file: string): Promise<string> => {
  let filled = text;
  for (const [reference, inside = ''] of text.matchAll(/\{\{(.+?)\}\}/g)) {
    const value = await resolve(inside, sources);
    if (value === undefined) throw new Error(`${file}: nothing is found for ${reference}`);
    filled = filled.replace(reference, () => value);
  }
  return filled;
};

const resolve = async (reference: string, sources: Sources): Promise<string | undefined> => {
  if (reference === 'unique') return randomBytes(4).toString('hex');
  const [, whose] = /^token of (.+)$/.exec(reference) ?? [];
  if (whose !== undefined) return sources.token(whose);
  const [, sender, queue] = /^message of (\S+) to (\S+)$/.exec(reference) ?? [];
  if (sender !== undefined && queue !== undefined) return sources.messageOf(sender, queue);
  const [, caller, pattern] = /^call of (\S+): (.+)$/.exec(reference) ?? [];
  if (caller !== undefined && pattern !== undefined)
    return new RegExp(pattern).exec(await sources.callsOf(caller))?.[1];
  const [, functionName, path] = /^answer of (\S+): (\S+)$/.exec(reference) ?? [];
  if (functionName === undefined || path === undefined) return undefined;
  const found = valueAt(bodyOf(await sources.answerOf(functionName)), path.split('.'));
  return found === undefined ? undefined : String(found);
};

const proxyAnswer = v.object({ statusCode: v.number(), body: v.string() });

/** What an endpoint answers is JSON in the body of its answer. */
const bodyOf = (answer: unknown): unknown => {
  const parsed = v.safeParse(proxyAnswer, answer);
  return parsed.success ? JSON.parse(parsed.output.body) : answer;
};

const valueAt = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
  if (step === undefined) return value;
  const [name = '', wanted] = step.split('=');
  if (Array.isArray(value) && wanted !== undefined)
    return valueAt(
      value.find((item) => valueAt(item, [name]) === wanted),
      rest,
    );
  return typeof value === 'object' && value !== null ? valueAt(Reflect.get(value, step), rest) : undefined;
};
