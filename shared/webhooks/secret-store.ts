/** Where a webhook's secrets lie: the one that signs and, for a day after a rotation, the one before. */
import { allOf, exists, is } from '../table/condition.ts';
import { updateOnce } from '../table/once.ts';
import { webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

export interface Rotation {
  readonly secret: string;
  /** The one before, which signs as well until an ISO time; null where there was none. */
  readonly previous: { readonly secret: string; readonly until: string } | null;
  readonly updated_at: string;
}

/**
 * Replaces the secret of a webhook as it was read, and returns the rotation that stands. Of two rotations at the same time both
 * return the first: a second one would drop the old secret, which receivers were promised for a day. Returns undefined where
 * the webhook is gone or has been rotated more than once.
 */
export const changeSecret = async (before: Webhook, rotation: Rotation): Promise<Rotation | undefined> => {
  const { secret, previous, updated_at } = rotation;
  const { written, refusal } = await updateOnce<Webhook>(
    webhookKey(before.id),
    {
      set: { secret, updated_at, previous_secret: previous?.secret, previous_secret_until: previous?.until },
      ...(previous === null && { remove: ['previous_secret', 'previous_secret_until'] }),
    },
    allOf(exists(), is('secret', before.secret)),
  );
  if (written) return rotation;
  const found = refusal.found<Webhook>();
  return found === undefined ? undefined : nextRotation(before, found);
};

/** Returns the rotation between two states of a webhook, where there was exactly one. */
const nextRotation = (before: Webhook, after: Webhook): Rotation | undefined => {
  const { secret, previous_secret, previous_secret_until, updated_at } = after;
  if (secret === null || (previous_secret ?? null) !== before.secret) return undefined;
  const hasPrevious = previous_secret !== undefined && previous_secret_until !== undefined;
  return {
    secret,
    previous: hasPrevious ? { secret: previous_secret, until: previous_secret_until } : null,
    updated_at,
  };
};
