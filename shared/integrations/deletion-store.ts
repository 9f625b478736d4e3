/** The table operations that a deletion of an integration needs; tests make each of them fail. */
import { systemClock } from '../foundation/clock.ts';
import { removeWebhooks } from '../webhooks/remove-many.ts';
import type { DeletionPorts } from './delete.ts';
import { checkNoReceiver, receivesSite } from './move/store.ts';
import {
  beginDeletion,
  endDeletion,
  listKeysOf,
  listWebhookIdsOf,
  readIntegrationEvenDeleted,
  removeKeys,
} from './store.ts';

export const deletionPorts: DeletionPorts = {
  read: readIntegrationEvenDeleted,
  listKeys: listKeysOf,
  removeKeys,
  begin: async (id, keys, at, due, entry) => {
    const refusal = await beginDeletion(id, keys, at, due, [entry, checkNoReceiver(id)]);
    const position = [...(refusal?.failed ?? [])].find((one) => one > 0);
    const record = position === undefined ? undefined : refusal?.found<{ readonly from: string }>(position);
    if (record !== undefined) throw receivesSite(record);
    return refusal === undefined;
  },
  listWebhookIds: listWebhookIdsOf,
  removeWebhooks,
  end: endDeletion,
  clock: systemClock,
};
