/** The parts of the table that a deletion of an integration works on; tests let each of them fail. */
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
