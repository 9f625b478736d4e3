/** Stores the record of the move, one per stage. A change names the revision that it follows: no two runs continue. */
import { accountNotice } from '../../accounts/account-notice.ts';
import { listStaffMembers } from '../../accounts/staff-store.ts';
import { actorOf } from '../../audit/entry.ts';
import type { Target } from '../../audit/resource.ts';
import { audited } from '../../audit/store.ts';
import { sendStored, storeMessage } from '../../due/outbox.ts';
import type { Caller } from '../../foundation/caller.ts';
import { timestamp } from '../../foundation/clock.ts';
import { baseUrl } from '../../foundation/environment.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../foundation/errors.ts';
import type { IntegrationId } from '../../foundation/ids.ts';
import { present } from '../../foundation/resource.ts';
import { getMany } from '../../table/batch.ts';
import { allOf, anyOf, exists, is, isNot, missing } from '../../table/condition.ts';
import { remove } from '../../table/item.ts';
import { updateOnceWith } from '../../table/once.ts';
import { queryAll } from '../../table/query.ts';
import type { Key } from '../../table/table-key.ts';
import { transact, type Write } from '../../table/transaction.ts';
import { webhookKey } from '../../webhooks/table-keys.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { importCommand } from '../relay/import-command.ts';
import { readIntegration } from '../store.ts';
import { secretHint } from './hint.ts';
import { isSiteId, type MoveChanges, type MoveResource, moveResource } from './resource.ts';

const partition = 'MOVE';
const headKey: Key = { pk: partition, sk: 'MOVE' };
const originalPrefix = 'ORIGINAL#';
const originalKey = (id: string): Key => ({ pk: partition, sk: `${originalPrefix}${id}` });

type Head = Omit<MoveResource, 'originals' | 'inbound_hint'>;
type Original = Omit<MoveResource['originals'][number], 'secret_hint' | 'copy_secret_hint'> & {
  readonly secret?: string | null;
};

const readItems = async (site: string): Promise<{ readonly head: Head; readonly originals: readonly Original[] }> => {
  const items = await queryAll<(Head | Original) & Key>(partition);
  const head = items.find((one): one is Head & Key => one.sk === headKey.sk);
  if (head?.site !== site) throw noRecord(site, head);
  return { head, originals: items.filter((one): one is Original & Key => one.sk !== headKey.sk) };
};

/** Returns the record of a site's move. @throws NotFoundError */
export const readMove = async (site: string): Promise<MoveResource> => {
  const { head, originals } = await readItems(site);
  const receiver = head.receiver_id === null ? undefined : await readIntegration(head.receiver_id);
  const copies = originals.flatMap(({ copy_id }) => (copy_id === null ? [] : [webhookKey(copy_id)]));
  const secrets = new Map((await getMany<Webhook>(copies)).map(({ id, secret }) => [id, secret]));
  return present(moveResource, {
    ...head,
    inbound_hint: secretHint(head.receiver_id ?? '', receiver?.inbound_secret),
    originals: originals.map((one) => ({
      ...one,
      secret_hint: secretHint(one.id, one.secret),
      copy_secret_hint: one.copy_id === null ? null : secretHint(one.id, secrets.get(one.copy_id)),
    })),
  });
};

/** What a webhook that is not moved yet has, and a record that was just begun. */
const unmoved = { name: null, api_version: null, removed: false, copy_id: null, secret: null };
const empty = { receiver_id: null, relay_id: null, relays: [], proven_at: null, integrations: [], failures: [] };

/**
 * Changes the record, or creates it with revision 0.
 * @throws ConflictError if another run has changed it, NotFoundError, ValidationError for a second site
 */
export const changeMove = async (
  site: string,
  { revision, originals = [], forgotten = [], ...changes }: MoveChanges,
  caller: Caller,
  now: number,
): Promise<MoveResource> => {
  if (!isSiteId(site)) throw notASite();
  const isNew = revision === 0;
  if (isNew && (changes.from === undefined || changes.to === undefined)) throw incomplete();
  const set = { ...(isNew && empty), ...changes, site, revision: revision + 1, updated_at: timestamp(now) };
  const condition = isNew ? missing() : allOf(is('revision', revision), is('site', site));
  const { refusal } = await updateOnceWith<Head>(headKey, { set }, condition, [
    ...originals.map((one): Write => {
      const isWhole = one.event !== undefined && one.target_url !== undefined && one.integration_id !== undefined;
      const change = { set: { ...(isWhole && unmoved), ...one } };
      return { kind: 'update', key: originalKey(one.id), change, ...(!isWhole && { condition: exists() }) };
    }),
    ...forgotten.map((id): Write => ({ kind: 'delete', key: originalKey(id) })),
    ...(isNew ? [audited(actorOf(caller), 'move.started', targetOf({ site, from: changes.from ?? '' }))] : []),
  ]);
  if (refusal === undefined) return readMove(site);
  if (!refusal.failed.has(0)) throw unknownOriginal();
  const found = refusal.found<Head>();
  if (found !== undefined && found.site !== site) throw secondSite(found);
  if (found === undefined) throw noRecord(site, found);
  throw new ConflictError('Another run of the command has changed the record of this move.', {
    help: 'Wait until it has ended, and run it again: it continues where the other one stopped.',
  });
};

/** Deletes the record. @throws NotFoundError */
export const deleteMove = async (site: string, caller: Caller): Promise<void> => {
  const { head, originals } = await readItems(site);
  for (const { id } of originals) await remove(originalKey(id));
  await transact([
    { kind: 'delete', key: headKey, condition: anyOf(missing(), is('site', site)) },
    audited(actorOf(caller), 'move.ended', targetOf(head)),
  ]);
};

/** Returns the secrets of the originals, and tells the Owner. @throws NotFoundError */
export const readOriginalSecrets = async (
  site: string,
  caller: Caller,
  now: number,
): Promise<{ readonly id: string; readonly secret: string }[]> => {
  const [{ head, originals }, staff] = await Promise.all([readItems(site), listStaffMembers()]);
  const actor = actorOf(caller);
  const owners = staff.filter(({ role }) => role === 'Owner');
  const messages = owners.map(({ id }) =>
    accountNotice({
      kind: 'secretsRead',
      staff_id: id,
      by: actor.name,
      other: new URL(head.from).host,
      at: timestamp(now),
    }),
  );
  await transact([audited(actor, 'move.secrets.read', targetOf(head)), ...messages.map(storeMessage)]);
  await sendStored(messages);
  return originals.flatMap(({ id, secret }) => (secret === null || secret === undefined ? [] : [{ id, secret }]));
};

/** Returns the write that fails if an integration receives a site that was moved. */
export const checkNoReceiver = (id: IntegrationId): Write => ({
  kind: 'check',
  key: headKey,
  condition: anyOf(missing('receiver_id'), isNot('receiver_id', id)),
});

/** The refusal to delete the integration that receives the site of this record. */
export const receivesSite = (head: Pick<Head, 'from'>): ValidationError =>
  new ValidationError(`The integration receives the events of ${head.from}, whose webhooks were moved here.`, {
    property: 'id',
    help: `Move them back first: ${importCommand(head.from, baseUrl(), '--undo')}`,
  });

const targetOf = ({ site, from }: Pick<Head, 'site' | 'from'>): Target => ({ type: 'site', id: site, name: from });

const noRecord = (site: string, other: Head | undefined): NotFoundError =>
  other === undefined || other.site === site
    ? new NotFoundError('The stage has no record of a move of this site.', {
        help: 'PUT /admin/moves/{site}/ with `revision` 0 creates it.',
      })
    : new NotFoundError(secondSiteMessage(other), { property: 'site', help: secondSiteHelp(other) });

const secondSite = (other: Head): ValidationError =>
  new ValidationError(secondSiteMessage(other), { property: 'site', help: secondSiteHelp(other) });

const secondSiteMessage = ({ from }: Head): string =>
  `A stage is one publication, and this one has the webhooks of ${from}. ` +
  'With a second site, receivers would get the events of both.';
const secondSiteHelp = ({ from }: Head): string =>
  `Deploy another stage for this site, or move the other one back: ${importCommand(from, baseUrl(), '--undo')}`;

const notASite = (): ValidationError =>
  new ValidationError('The path must have the id of a Ghost site.', {
    property: 'site',
    help: 'It is `site_uuid` in the answer to GET /ghost/api/admin/site/ of the site.',
  });

const unknownOriginal = (): ValidationError =>
  new ValidationError('The record has no webhook with this id.', {
    property: 'originals',
    help: 'Send `integration_id`, `event` and `target_url` to add it.',
  });

const incomplete = (): ValidationError =>
  new ValidationError('`from` and `to` are required in a new record.', {
    property: 'from',
    help: 'Send the URL of the site as `from`, and the base URL of the stage as `to`.',
  });
