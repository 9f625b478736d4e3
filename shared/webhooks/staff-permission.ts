/** Events about staff have names and addresses: only webhooks of integrations that an Owner or Administrator has allowed it receive them. */
import { integrationKey } from '../accounts/integration-guard.ts';
import type { Caller } from '../foundation/caller.ts';
import { NoPermissionError } from '../foundation/errors.ts';
import { isStaffEvent } from '../foundation/event-names.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';

/** Returns which of these integrations may receive events about staff. */
export const withStaffPermission = async (ids: readonly IntegrationId[]): Promise<ReadonlySet<IntegrationId>> => {
  const found = await getMany<{ readonly id: IntegrationId; readonly can_receive_staff_events?: boolean }>(
    [...new Set(ids)].map(integrationKey),
  );
  return new Set(found.flatMap(({ id, can_receive_staff_events }) => (can_receive_staff_events === true ? [id] : [])));
};

const mayReceive = async (event: string, integration: IntegrationId): Promise<boolean> =>
  !isStaffEvent(event) || (await withStaffPermission([integration])).has(integration);

/** Whether the caller may read what an event of this name contains: integrations need the permission to receive it, even for past events. */
export const mayRead = async (event: string, caller: Caller): Promise<boolean> =>
  caller.kind === 'staff' || (await mayReceive(event, caller.integrationId));

/** Checks the same. @throws NoPermissionError */
export const checkMayRead = async (event: string, caller: Caller): Promise<void> => {
  if (caller.kind === 'integration') await checkMayReceive(event, caller.integrationId);
};

/** Checks that a webhook of this integration may subscribe to the event. @throws NoPermissionError */
export const checkMayReceive = async (event: string, integration: IntegrationId): Promise<void> => {
  if (await mayReceive(event, integration)) return;
  throw new NoPermissionError(`Webhooks of this integration cannot receive \`${event}\`.`, {
    property: 'event',
    help: `An Owner or Administrator can allow it: PUT /admin/integrations/${integration}/ with \`"can_receive_staff_events": true\`.`,
  });
};
