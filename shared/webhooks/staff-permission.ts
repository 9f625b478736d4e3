/** Events about staff have names and addresses: only permitted integrations' webhooks receive them. */
import { integrationKey } from '../accounts/integration-guard.ts';
import type { Caller } from '../foundation/caller.ts';
import { NoPermissionError } from '../foundation/errors.ts';
import { isStaffEvent } from '../foundation/event-names.ts';
import { namesIn } from '../foundation/event-selection.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';

/** Returns which of these integrations may receive events about staff. */
export const withStaffPermission = async (ids: readonly IntegrationId[]): Promise<ReadonlySet<IntegrationId>> => {
  const found = await getMany<{ readonly id: IntegrationId; readonly can_receive_staff_events?: boolean }>(
    [...new Set(ids)].map(integrationKey),
  );
  return new Set(found.flatMap(({ id, can_receive_staff_events }) => (can_receive_staff_events === true ? [id] : [])));
};

const mayReceive = async (selection: string, integration: IntegrationId): Promise<boolean> =>
  !namesIn(selection).some(isStaffEvent) || (await withStaffPermission([integration])).has(integration);

/** Whether the caller may read a selection's events: integrations need the permission even for past ones. */
export const mayRead = async (selection: string, caller: Caller): Promise<boolean> =>
  caller.kind === 'staff' || (await mayReceive(selection, caller.integrationId));

/** Checks the same. @throws NoPermissionError */
export const checkMayRead = async (selection: string, caller: Caller): Promise<void> => {
  if (caller.kind === 'integration') await checkMayReceive(selection, caller.integrationId);
};

/** Checks that a webhook of this integration may subscribe to the events of a selection. @throws NoPermissionError */
export const checkMayReceive = async (selection: string, integration: IntegrationId): Promise<void> => {
  if (await mayReceive(selection, integration)) return;
  const event = namesIn(selection).find(isStaffEvent);
  throw new NoPermissionError(`Webhooks of this integration cannot receive \`${event}\`.`, {
    property: 'event',
    help:
      `An Owner or Administrator can allow it: ` +
      `PUT /admin/integrations/${integration}/ with \`"can_receive_staff_events": true\`.`,
  });
};
