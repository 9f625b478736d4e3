/** The entries of the audit log: who did what to whom, and when. */
import * as v from 'valibot';
import type { Caller } from '../foundation/caller.ts';
import { timestamp } from '../foundation/clock.ts';
import { type AuditId, timeOfId } from '../foundation/ids.ts';
import { field, idSchema, present, type Resource, timeSchema } from '../foundation/resource.ts';
import { beginningOf } from '../foundation/text.ts';

/** What is recorded: a resource and what was done to it. */
export const auditActions = [
  'staff.added',
  'staff.updated',
  'staff.removed',
  'staff.token.renewed',
  'session.started',
  'session.ended',
  'invite.created',
  'invite.resent',
  'invite.revoked',
  'integration.created',
  'integration.updated',
  'integration.deleted',
  'integration.key.replaced',
  'integration.inbound_secret.replaced',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.enabled',
  'webhook.secret.rotated',
] as const;
export type AuditAction = (typeof auditActions)[number];

const nullableText = v.nullable(v.string());
const changed = v.nullable(v.union([v.string(), v.boolean(), v.number()]));

export const auditResource = v.strictObject({
  id: field(idSchema<AuditId>(), 'The id of the entry.'),
  at: field(timeSchema, 'When it happened.'),
  actor: field(
    v.strictObject({
      type: field(
        v.picklist(['staff', 'integration', 'operator']),
        'A staff member, an integration, or the operator of the stage, who has access to its AWS account.',
      ),
      id: field(nullableText, 'The id of the staff member or the integration.', 'b6b2d9f0a1c3e5d7f9081726'),
      name: field(
        nullableText,
        'The name of the staff member at that time, or of the integration now; null if it was deleted.',
        'Olive Owner',
      ),
    }),
    'Who did it.',
  ),
  action: field(v.picklist(auditActions), 'What was done.', 'staff.updated'),
  target: field(
    v.strictObject({
      type: field(v.picklist(['staff', 'session', 'invite', 'integration', 'webhook']), 'What it was done to.'),
      id: field(v.string(), 'Its id.', '019acb5e0a10a1b2c3d4e5f6'),
      name: field(nullableText, 'Its name, address or device at that time.', 'Ada'),
    }),
    'To whom or what.',
  ),
  changes: field(
    v.record(v.string(), v.strictObject({ from: changed, to: changed })),
    'The fields that changed. Secrets are never recorded, of URLs the origin only, and of long texts the beginning.',
    { role: { from: 'Author', to: 'Editor' } },
  ),
});

export type AuditEntry = Resource<typeof auditResource>;
export type Changes = AuditEntry['changes'];
export type Target = AuditEntry['target'];
export type Actor = AuditEntry['actor'];

/** Who calls. The name of an integration is looked up when the log is read, so that a change does not need to read it. */
export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'staff'
    ? { type: 'staff', id: caller.staffId, name: caller.name }
    : { type: 'integration', id: caller.integrationId, name: null };

/** The operator, who invokes functions with access to the AWS account. */
export const operator: Actor = { type: 'operator', id: null, name: null };

/** How many characters of a text are recorded. */
const maxLength = 100;

type Value = Changes[string]['to'];

const recorded = (value: Value | undefined): Value =>
  typeof value === 'string' ? beginningOf(value, maxLength) : (value ?? null);

/** Returns the fields that differ between two states; those that are missing count as null. */
export const changesBetween = (
  before: Readonly<Record<string, Value | undefined>>,
  after: Readonly<Record<string, Value | undefined>>,
): Changes =>
  Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((name) => (before[name] ?? null) !== (after[name] ?? null))
      .map((name) => [name, { from: recorded(before[name]), to: recorded(after[name]) }]),
  );

/** Returns a URL as it is recorded: the path and the query of a webhook's target can be its password. */
export const originOf = (url: string): string => `${new URL(url).origin}/…`;

/** Presents an entry; its time is that of its id. */
export const presentEntry = (entry: Omit<AuditEntry, 'at'>): AuditEntry =>
  present(auditResource, { ...entry, at: timestamp(timeOfId(entry.id)) });
