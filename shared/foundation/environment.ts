/** The environment of a function, read and parsed once; only this file reads `process.env`. */
import type { Settings } from './settings.ts';

const variable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
};

const parsed = new Map<string, unknown>();

const once = <T>(name: string, parse: (text: string) => T): T => {
  if (!parsed.has(name)) parsed.set(name, parse(variable(name)));
  return parsed.get(name) as T;
};

/** The name of the stage's table. */
export const tableName = (): string => once('TABLE_NAME', (text) => text);

/** The URL that all paths of the contract are relative to, without a trailing slash. */
export const baseUrl = (): string => once('BASE_URL', (text) => text);

/** Returns the URL of a queue that this function may send to, or whose length it may read. */
export const queueUrl = (queue: string): string =>
  once(`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`, (text) => text);

/** The SES configuration set that reports bounces and complaints; undefined without one. */
export const mailConfigurationSet = (): string | undefined => process.env.MAIL_CONFIGURATION_SET || undefined;

/** The addresses from which deliveries come; undefined if they are not fixed. */
export const egressAddresses = (): readonly string[] | undefined => process.env.EGRESS_ADDRESSES?.split(',');

/** The stage's settings. Not validated again: the synth has, and it would take a twentieth of a function's INIT. */
export const settings = (): Settings => once('SETTINGS', (text) => JSON.parse(text));
