/** The key and the URL of a stage, as users give them. */
import { UsageError } from './exit-codes.ts';

/** A key: an id and a secret in hex. */
export const keyPattern = /^[0-9a-f]{24}:[0-9a-f]{64}$/;

/** Returns `MASTHEAD_KEY`, or undefined if it is not set. @throws UsageError unless it is a key */
export const keyOfEnvironment = (): string | undefined => {
  const { MASTHEAD_KEY: key = '' } = process.env;
  if (key === '' || keyPattern.test(key)) return key || undefined;
  throw new UsageError('MASTHEAD_KEY does not have the form <id>:<secret>.');
};

/** Returns a parser of a base URL; `name` begins its error. @throws UsageError */
export const baseUrlIn =
  (name: string) =>
  (text: string): string => {
    if (/^https?:/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
    throw new UsageError(`${name} is '${text}'; it must be the base URL of an API, such as https://…/ghost/api.`);
  };
