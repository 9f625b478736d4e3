/** Rotates a webhook's secret: the new one is returned once, and for a day the old one also signs deliveries. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../foundation/caller.ts';
import { day, second, systemClock, timestamp } from '../foundation/clock.ts';
import { TooManyRequestsError, ValidationError } from '../foundation/errors.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { describe } from '../http/items.ts';
import { choice, type Parameter } from '../http/query.ts';
import { is } from '../table/condition.ts';
import { updateOnceWith } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Write } from '../table/transaction.ts';
import { auditedWebhook } from './audit.ts';
import { findWebhook } from './find.ts';
import { isSigned, noOptions } from './options-resource.ts';
import type { NewWebhook } from './schema.ts';
import { webhookKey } from './table-keys.ts';
import { type PreviousSecret, previousSecrets, type Webhook } from './webhook.ts';

const overlapMs = day;
/** Standard Webhooks recommends 24 to 64 bytes. */
const secretBytes = 32;
/** Each signs every delivery, in a header that servers limit to some kilobytes. */
const maxPrevious = 5;

export interface Rotation {
  readonly secret: string;
  /** Those before it that receivers may still verify with, newest first. */
  readonly previous: readonly PreviousSecret[];
  readonly updated_at: string;
}

const newSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** Asks for a secret at creation. Errors do not repeat its value, which may be a secret that belongs in the body. */
export const secretParameter: Parameter<'generate' | undefined> = {
  ...choice(
    ['generate'],
    'Makes a secret, unless the body has one, for the formats `ghost` and `template`. ' +
      'Services with a format of their own verify no signature.',
    'it is not `generate`',
  ),
  read: (text) => {
    if (text === undefined || text === 'generate') return text;
    throw new ValidationError('The parameter `secret` must be `generate`.', {
      property: 'secret',
      help: 'Omit it, and send a secret of your own as `secret` of the webhook.',
      details: [{ index: null, field: 'secret', rule: 'known', limit: 'generate', received: describe(text) }],
    });
  },
};

/** Returns a new webhook with a secret, if one is wanted, the request has none, and its format is not a service's. */
export const withSecret = (input: NewWebhook, wanted: 'generate' | undefined): NewWebhook =>
  wanted !== undefined && input.secret === null && isSigned(input.options?.format ?? noOptions.format)
    ? { ...input, secret: newSecret() }
    : input;

/**
 * Rotates the secret and returns the new one. Beyond five a day staff drop the oldest: a leaked key cannot block them.
 * @throws NotFoundError, NoPermissionError, TooManyRequestsError, ContentionError after lost races
 */
export const rotateSecret = (id: WebhookId, caller: Caller): Promise<Rotation> =>
  untilWritten(`the secret of the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller);
    const now = systemClock();
    const valid = previousSecrets(webhook, now);
    const oldest = valid[maxPrevious - 1];
    if (oldest !== undefined && caller.kind !== 'staff') throw tooMany(oldest, now);
    const entry = auditedWebhook(caller, 'webhook.secret.rotated', webhook);
    return changeSecret(
      webhook,
      {
        secret: newSecret(),
        previous: (webhook.secret === null
          ? valid
          : [{ secret: webhook.secret, until: timestamp(now + overlapMs) }, ...valid]
        ).slice(0, maxPrevious),
        updated_at: timestamp(now),
      },
      [entry],
    );
  });

const tooMany = ({ until }: PreviousSecret, now: number): TooManyRequestsError =>
  new TooManyRequestsError(`A secret can be rotated ${maxPrevious} times a day.`, (Date.parse(until) - now) / second, {
    help: 'Each earlier secret signs for a day. Retry after the seconds in Retry-After.',
  });

/**
 * Replaces the secret of a webhook as it was read, and returns the effective rotation: of two at once, both return the
 * first. Returns undefined if the webhook was deleted or has been rotated more than once.
 */
const changeSecret = async (
  before: Webhook,
  rotation: Rotation,
  also: readonly Write[],
): Promise<Rotation | undefined> => {
  const { secret, previous, updated_at } = rotation;
  const { written, refusal } = await updateOnceWith<Webhook>(
    webhookKey(before.id),
    {
      set: {
        secret,
        updated_at,
        previous_secrets: previous.map((one) => ({ ...one })),
      },
    },
    is('secret', before.secret),
    also,
  );
  if (written) return rotation;
  const found = refusal.found<Webhook>();
  return found === undefined ? undefined : nextRotation(before, found);
};

/** Returns the rotation between two states of a webhook, if there was exactly one. */
const nextRotation = (before: Webhook, after: Webhook): Rotation | undefined => {
  const { secret, updated_at, previous_secrets: previous = [] } = after;
  if (secret === null || (previous[0]?.secret ?? null) !== before.secret) return undefined;
  return { secret, previous, updated_at };
};
