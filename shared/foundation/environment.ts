/** The environment of a function, read and parsed once: the only place that looks at `process.env`. */
import * as v from 'valibot';
import { type Settings, settingsSchema } from './settings.ts';

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

/** Name of the table. */
export const tableName = (): string => once('TABLE_NAME', (text) => text);

/** What every path of the contract is below, without a slash at the end. */
export const baseUrl = (): string => once('BASE_URL', (text) => text);

/** URL of a queue that this function may send to. */
export const queueUrl = (queue: string): string =>
  once(`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`, (text) => text);

/** The SES configuration set that mails go through, which reports bounces and complaints; undefined where there is none. */
export const mailConfigurationSet = (): string | undefined => process.env.MAIL_CONFIGURATION_SET || undefined;

/** What the stage has set; throws where it does not fit the schema. */
export const settings = (): Settings => once('SETTINGS', (text) => v.parse(settingsSchema, JSON.parse(text)));
