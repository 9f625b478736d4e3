/**
 * Keeps the secrets of a webhook's options from another target or form. Clients can't read them, so a leaked key must
 * not be able to send them to a server of its own, or use them for a request of its own.
 */
import { keptSecrets, presentFormat } from '../formats/format.ts';
import { ValidationError } from '../foundation/errors.ts';
import type { OptionsChanges } from './options.ts';
import { noOptions, type Options } from './options-resource.ts';
import { isSameTarget } from './same-target.ts';

interface Move {
  readonly from: string;
  readonly to: string;
}

/** `prefix` begins fields in errors. @throws ValidationError if a stored secret would get another target or format */
export const checkMove = ({ from, to }: Move, stored: Options, sent: OptionsChanges, prefix: string): void => {
  const isMoved = !isSameTarget(from, to);
  if (!isMoved && (sent.format === undefined || isSameFormat(stored.format, sent.format ?? noOptions.format))) return;
  const [field] = [...keptHeaders(stored.headers, sent.headers), ...keptFormat(stored.format, sent.format)];
  if (field !== undefined)
    throw notSentAgain(`${prefix}${field}`, isMoved ? '`target_url`' : `\`${prefix}format\``, prefix);
};

/** Whether two formats are the same but for their secrets. */
const isSameFormat = (stored: Options['format'], sent: Options['format']): boolean =>
  JSON.stringify(presentFormat(stored)) === JSON.stringify(presentFormat(sent));

const keptHeaders = (stored: Options['headers'], sent: OptionsChanges['headers']): string[] => {
  if (sent === undefined) return Object.keys(stored).length === 0 ? [] : ['headers'];
  return Object.entries(sent ?? {}).flatMap(([name, value]) => (value === null ? [`headers.${name}`] : []));
};

const keptFormat = (stored: Options['format'], sent: OptionsChanges['format']): string[] => {
  if (sent === undefined) return keptSecrets(stored, undefined).length === 0 ? [] : ['format'];
  return sent === null ? [] : keptSecrets(stored, sent).map((name) => `format.${name}`);
};

const notSentAgain = (path: string, changed: string, prefix: string): ValidationError => {
  const field = path.slice(0, 150);
  return new ValidationError(`\`${field}\` must be sent again, because ${changed} changes.`, {
    property: field,
    help:
      `Send the values of all headers and the secrets of the format again in this PUT. ` +
      `To remove them, send null for \`${prefix}headers\` or \`${prefix}format\`.`,
    details: [{ index: 0, field, rule: 'sent_again', limit: null, received: 'no value' }],
  });
};
