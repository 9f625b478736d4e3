/** Creates the first data of a stage: the roles, a first Owner, and further staff and integrations. */
import { assignToStaff, readAddress } from '../accounts/address.ts';
import { checkApiKey, putApiKey } from '../accounts/api-key-store.ts';
import { checkInUse } from '../accounts/integration-guard.ts';
import { type CustomRoles, roleId } from '../accounts/role.ts';
import { seedRole } from '../accounts/role-store.ts';
import { asTarget, shownToAudit } from '../accounts/staff-member.ts';
import { addStaffKey, listStaffMembers, putStaffMember } from '../accounts/staff-store.ts';
import { changesBetween, operator } from '../audit/entry.ts';
import { audited } from '../audit/store.ts';
import { timestamp } from '../foundation/clock.ts';
import { normalizedEmail } from '../foundation/email.ts';
import { ghostRoles } from '../foundation/ghost-roles.ts';
import { sha256 } from '../foundation/hash.ts';
import type { ApiKeyId, IntegrationId, StaffId } from '../foundation/ids.ts';
import { slugOf } from '../foundation/text.ts';
import { asTarget as integrationAsTarget, shownToAudit as integrationShown } from '../integrations/integration.ts';
import { putIntegration, putKeyOf } from '../integrations/store.ts';
import { tryWrite } from '../table/conditional.ts';
import { transact, type Write } from '../table/transaction.ts';

interface Key {
  readonly id: string;
  /** 64 hex characters. */
  readonly secret: string;
}

interface Description {
  readonly staff: readonly {
    readonly email: string;
    readonly name: string;
    readonly role: string;
    readonly key: Key;
  }[];
  readonly integrations: readonly { readonly name: string; readonly canPublish: boolean; readonly key: Key }[];
}

/** Returns the Owner's address if the stage has an Owner and none of these keys: they come from elsewhere. */
export const ownerWithOtherKey = async ({ staff }: Pick<Description, 'staff'>): Promise<string | undefined> => {
  const owner = (await listStaffMembers()).find(({ role }) => role === 'Owner');
  if (owner === undefined) return undefined;
  for (const { key } of staff) if (await tryToWrite([checkApiKey(key.id as ApiKeyId)])) return undefined;
  return owner.email;
};

/** Creates what does not exist yet and changes nothing else. */
export const seed = async (
  { staff, integrations }: Description,
  customRoles: CustomRoles,
  now: number,
): Promise<void> => {
  const at = timestamp(now);
  await Promise.all(
    [...ghostRoles, ...customRoles].map(({ name, description }) =>
      seedRole({ id: roleId(name), name, description, created_at: at, updated_at: at }),
    ),
  );
  for (const { email, name, role, key } of staff) {
    const id = idFrom(`staff:${normalizedEmail(email)}`) as StaffId;
    const keyId = key.id as ApiKeyId;
    const member = { id, name, email, role, created_at: at };
    const keyOf = (staff_id: StaffId) =>
      putApiKey({ id: keyId, secret: key.secret, owner: { kind: 'staff', staff_id }, created_at: at });
    // In one transaction, so that every member has a key.
    const added = audited(operator, 'staff.added', asTarget(member), changesBetween({}, shownToAudit(member)));
    if (await tryToWrite([putStaffMember({ ...member, key_ids: [keyId] }), assignToStaff(email, id), keyOf(id), added]))
      continue;
    await tryToWrite([putStaffMember(member), assignToStaff(email, id), added]);
    const address = await readAddress(email);
    const owner = address?.holder === 'staff' ? address.staff_id : id;
    const renewed = audited(
      operator,
      'staff.token.renewed',
      { ...asTarget(member), id: owner },
      { key_id: { from: null, to: keyId } },
    );
    await tryToWrite([keyOf(owner), addStaffKey(owner, keyId), renewed]);
  }
  for (const { name, canPublish, key } of integrations) {
    const id = idFrom(`integration:${name}`) as IntegrationId;
    const integration = {
      id,
      name,
      slug: slugOf(name, 'integration'),
      description: null,
      contact_email: null,
      can_publish: canPublish,
      can_receive_staff_events: false,
      created_at: at,
      updated_at: at,
    };
    await tryToWrite([
      ...putIntegration(integration),
      audited(
        operator,
        'integration.created',
        integrationAsTarget(integration),
        changesBetween({}, integrationShown(integration)),
      ),
    ]);
    const apiKey = {
      id: key.id as ApiKeyId,
      secret: key.secret,
      owner: { kind: 'integration', integration_id: id },
      created_at: at,
    } as const;
    await tryToWrite([checkInUse(id), ...putKeyOf(id, apiKey)]);
  }
};

/** Derives an id from a name, so that a second run finds what the first one created. */
const idFrom = (text: string): string => sha256(text).slice(0, 24);

/** Writes all of these unless one exists; returns whether they were written. */
const tryToWrite = async (writes: readonly Write[]): Promise<boolean> => (await tryWrite(transact(writes))).written;
