/**
 * Keeps the secrets of a webhook's options from following it to another origin. Clients can't read these secrets, so a leaked key must not be
 * able to send them to a server of its own.
 */
import { keptSecrets } from '../formats/format.ts';
import { ValidationError } from '../foundation/errors.ts';
import type { OptionsChanges } from './options.ts';
import type { Options } from './options-resource.ts';
import { isSameOrigin } from './origin.ts';

interface Move {
  readonly from: string;
  readonly to: string;
}

/** @throws ValidationError if the target moves to another origin, and a secret would keep its stored value */
export const checkMove = ({ from, to }: Move, stored: Options, sent: OptionsChanges = {}): void => {
  if (isSameOrigin(from, to)) return;
  const [field] = [...keptHeaders(stored.headers, sent.headers), ...keptFormat(stored.format, sent.format)];
  if (field !== undefined) throw notSentAgain(field);
};

const keptHeaders = (stored: Options['headers'], sent: OptionsChanges['headers']): string[] => {
  if (sent === undefined) return Object.keys(stored).length === 0 ? [] : ['options.headers'];
  return Object.entries(sent ?? {}).flatMap(([name, value]) => (value === null ? [`options.headers.${name}`] : []));
};

const keptFormat = (stored: Options['format'], sent: OptionsChanges['format']): string[] => {
  if (sent === undefined) return keptSecrets(stored, undefined).length === 0 ? [] : ['options.format'];
  return sent === null ? [] : keptSecrets(stored, sent).map((name) => `options.format.${name}`);
};

const notSentAgain = (path: string): ValidationError => {
  const field = path.slice(0, 150);
  return new ValidationError(
    `\`${field}\` must be sent again, because \`target_url\` moves to another origin (scheme, host or port).`,
    {
      property: field,
      help: 'Send the values of all headers and the secrets of the format again in `options` of this PUT. To remove them, send null for `options.headers` or `options.format`.',
      details: [{ index: 0, field, rule: 'sent_again', limit: null, received: 'no value' }],
    },
  );
};
