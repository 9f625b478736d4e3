/** What a receiver said when it asked for no more deliveries, for its owners: one short line without secrets. */
import { beginningOf, oneLine } from '../../foundation/text.ts';
import { previousSecrets, type Webhook } from '../../webhooks/webhook.ts';
import type { Answered } from '../sender/result.ts';
import type { BuiltRequest } from './attempt.ts';

/** As many characters as the audit log records of a text. */
const maxLength = 100;
/** A shorter value protects nothing, and would blacken ordinary words. */
const minSecretLength = 6;

const markup = /<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[!/a-z][^>]*(?:>|$)/gi;

/** Returns the status and the start of the text of an answer, such as `410 channel_is_archived`. */
export const saidIn = (
  { status, excerpt }: Pick<Answered, 'status' | 'excerpt'>,
  request: Pick<BuiltRequest, 'url' | 'headers' | 'credentials'>,
  webhook: Pick<Webhook, 'secret' | 'previous_secrets'>,
  now: number,
): string => {
  const masked = secretsOf(request, webhook, now)
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), excerpt.toWellFormed());
  return beginningOf(oneLine(`${status} ${masked.replaceAll(markup, ' ')}`), maxLength);
};

/** Returns what an answer may repeat but nobody may read: secrets, signatures, header values, the path and query. */
const secretsOf = (
  { url, headers, credentials }: Pick<BuiltRequest, 'url' | 'headers' | 'credentials'>,
  webhook: Pick<Webhook, 'secret' | 'previous_secrets'>,
  now: number,
): readonly string[] => {
  const { pathname, search, searchParams } = new URL(url);
  const values = Object.entries(headers).flatMap(([name, value]) =>
    credentials.includes(name) || /-signature$/i.test(name) ? [value, ...value.split(/[\s,=]+/)] : [],
  );
  const secrets = [
    ...values,
    ...(webhook.secret === null ? [] : [webhook.secret]),
    ...previousSecrets(webhook, now).map(({ secret }) => secret),
    `${pathname}${search}`,
    pathname,
    ...searchParams.values(),
  ];
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return [...new Set(forms)].filter(({ length }) => length >= minSecretLength);
};
