/** Where a webhook's secrets lie: the newest, and earlier ones, each of which signs for a day after its rotation. */
import { is } from '../table/condition.ts';
import { updateOnceWith } from '../table/once.ts';
import type { Write } from '../table/transaction.ts';
import { webhookKey } from './table-keys.ts';
import type { PreviousSecret, Webhook } from './webhook.ts';

export interface Rotation {
  readonly secret: string;
  /** Those before it that receivers may still verify with, newest first. */
  readonly previous: readonly PreviousSecret[];
  readonly updated_at: string;
}

/**
 * Replaces the secret of a webhook as it was read, and returns the effective rotation. Two concurrent rotations both
 * return the first. Returns undefined if the webhook was deleted or has been rotated more than once.
 */
export const changeSecret = async (
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
