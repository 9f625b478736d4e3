/** `Idempotency-Key` of `POST /admin/invites/`: for a day, a caller's key stands for the invites of one request. */
import { type Caller, countedAs } from '../foundation/caller.ts';
import { day, second, systemClock } from '../foundation/clock.ts';
import { ConflictError, ValidationError } from '../foundation/errors.ts';
import { sha256 } from '../foundation/hash.ts';
import type { InviteId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { is, missing } from '../table/condition.ts';
import { get, put } from '../table/item.ts';
import { tryOnce } from '../table/once.ts';
import { type CreatedInvite, createInvites } from './create.ts';
import { asOfNow } from './current.ts';
import type { Invite } from './invite.ts';
import type { NewInvite } from './schema.ts';
import { readInvites } from './store.ts';

/** Stored before its invites, which are written all or none: a repeat finds all of them, or none. */
interface Noted {
  readonly digest: string;
  readonly ids: readonly InviteId[];
  /** Names the request that wrote it. */
  readonly claim: string;
  /** Until when that request may be under way, in epoch ms. */
  readonly claimed_until: number;
  /** In epoch seconds. */
  readonly expires_at: number;
}

/** Longer than the function's timeout: until then, a repeat of a failed request is refused as under way. */
const claimMs = 15 * second;

/**
 * Creates invites as `createInvites` does; with a key, a repeat returns the same invites and mails nothing.
 * @throws as `createInvites`; ValidationError (malformed key, other items); ConflictError while its request runs
 */
export const createInvitesOnce = async (
  idempotencyKey: string | undefined,
  items: readonly NewInvite[],
  caller: Caller,
): Promise<CreatedInvite[]> => {
  if (idempotencyKey === undefined) return createInvites(items, caller);
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) throw malformed();
  const key = { pk: `IDEMPOTENCY#${sha256(`${countedAs(caller)} ${idempotencyKey}`)}`, sk: 'IDEMPOTENCY' };
  const digest = sha256(JSON.stringify(items));
  const now = systemClock();
  const stored = await get<Noted>(key);
  if (stored !== undefined && stored.expires_at * second > now) {
    if (stored.digest !== digest) throw otherItems();
    const made = await findAll(stored.ids, now);
    if (made !== undefined) return made.map((invite) => ({ invite, isRepeated: true }));
    if (stored.claimed_until > now) throw underWay();
  }

  let claim = stored?.claim;
  const note = async (ids: readonly InviteId[]): Promise<void> => {
    const own: string = newId();
    const item: Noted = {
      digest,
      ids,
      claim: own,
      claimed_until: systemClock() + claimMs,
      expires_at: Math.ceil((now + day) / second),
    };
    const tried = await tryOnce(
      put({ ...key, ...item }, claim === undefined ? missing() : is('claim', claim)),
      async () => (await get<Noted>(key))?.claim === own,
    );
    if (!tried.written && tried.refusal.found<Noted>()?.claim !== own) throw underWay();
    claim = own;
  };
  return createInvites(items, caller, note);
};

/** Returns the invites with these ids as of `now`, in their order; undefined unless all exist. */
const findAll = async (ids: readonly InviteId[], now: number): Promise<Invite[] | undefined> => {
  const byId = new Map((await readInvites(ids)).map((invite) => [invite.id, invite]));
  const invites = ids.flatMap((id) => byId.get(id) ?? []);
  return invites.length === ids.length ? asOfNow(invites, now) : undefined;
};

const property = 'Idempotency-Key';

const malformed = () =>
  new ValidationError('`Idempotency-Key` must have 1 to 255 visible ASCII characters.', {
    property,
    help: 'Send a new UUID with each request, and the same one when you repeat it.',
  });

const otherItems = () =>
  new ValidationError('This `Idempotency-Key` was sent with other invites within the last day.', {
    property,
    help: 'Repeat the request with the same invites, or send a new key.',
  });

const underWay = () =>
  new ConflictError('A request with this `Idempotency-Key` is under way.', {
    property,
    help: 'Repeat the request in a few seconds.',
  });
