/** The table operations that a deletion of an integration needs; tests make each of them fail. */
import { systemClock } from '../foundation/clock.ts';
import { removeWebhooks } from '../webhooks/remove-many.ts';
import type { DeletionPorts } from './delete.ts';
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
  begin: beginDeletion,
  listWebhookIds: listWebhookIdsOf,
  removeWebhooks,
  end: endDeletion,
  clock: systemClock,
};
