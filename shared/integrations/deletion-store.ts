/** What a deletion of an integration needs of the table. */
import { systemClock } from '../foundation/clock.ts';
import { webhookStore } from '../webhooks/store.ts';
import type { DeletionPorts } from './delete.ts';
import {
  beginDeletion,
  endDeletion,
  listKeysOf,
  listWebhookIdsOf,
  readIntegrationEvenDeleted,
  removeKeys,
  removeWebhookPointer,
} from './store.ts';

export const deletionPorts: DeletionPorts = {
  read: readIntegrationEvenDeleted,
  listKeys: listKeysOf,
  removeKeys,
  begin: beginDeletion,
  listWebhookIds: listWebhookIdsOf,
  readWebhook: webhookStore.read,
  removeWebhook: webhookStore.remove,
  removePointer: removeWebhookPointer,
  end: endDeletion,
  clock: systemClock,
};
