/** What a stage needs before its first request: roles, a first Owner, and whoever else is described. */
import { createHash } from 'node:crypto';
import { timestamp } from '../clock.ts';
import type { IntegrationId, KeyId, StaffId } from '../ids.ts';
import { slugOf } from '../integrations/integration.ts';
import { checkInUse, putIntegration, putKeyOf } from '../integrations/store.ts';
import { putApiKey } from '../keys/store.ts';
import { type CustomRoles, ghostRoles, roleId } from '../roles/role.ts';
import { seedRole } from '../roles/store.ts';
import { giveToStaff, readAddress, sameAddress } from '../staff/address.ts';
import { putStaffMember } from '../staff/store.ts';
import { TransactionFailed, transact, type Write } from '../table/transaction.ts';

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

/** Puts what is absent and changes nothing that is there; `now` in epoch ms. */
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
    const id = idFrom(`staff:${sameAddress(email)}`) as StaffId;
    await once([putStaffMember({ id, name, email, role, created_at: at }), giveToStaff(email, id)]);
    const address = await readAddress(email);
    const staffId = address?.holder === 'staff' ? address.staff_id : id;
    await once([
      putApiKey({
        id: key.id as KeyId,
        secret: key.secret,
        owner: { kind: 'staff', staff_id: staffId },
        created_at: at,
      }),
    ]);
  }
  for (const { name, canPublish, key } of integrations) {
    const id = idFrom(`integration:${name}`) as IntegrationId;
    await once(
      putIntegration({
        id,
        name,
        slug: slugOf(name),
        description: null,
        contact_email: null,
        can_publish: canPublish,
        created_at: at,
        updated_at: at,
      }),
    );
    const apiKey = {
      id: key.id as KeyId,
      secret: key.secret,
      owner: { kind: 'integration', integration_id: id },
      created_at: at,
    } as const;
    await once([checkInUse(id), ...putKeyOf(id, apiKey)]);
  }
};

/** The same description makes the same ids, so that a second run meets the first one's. */
const idFrom = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** All of these, unless one is there already. */
const once = async (writes: readonly Write[]): Promise<void> => {
  try {
    await transact(writes);
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error;
  }
};
