/** New ids: 24 lower-case hex characters that begin with the time. Types and readers of ids are in `ids.ts`, which browsers import, too. */
import { randomBytes } from 'node:crypto';
import { type AnyId, idTime, type WebhookGroup, type WebhookId } from './ids.ts';

/** The source of ids: 12 hex characters of the millisecond, 12 random ones. Those of webhooks depend on their group. */
export const newId = <T extends Exclude<AnyId, WebhookId>>(): T =>
  (idTime(Date.now()) + randomBytes(6).toString('hex')) as T;

/** Returns a mark for one write, by which its writer recognises it. */
export const newRevision = (): string => randomBytes(6).toString('hex');

/** Returns a group without members. */
export const newGroup = (): WebhookGroup => randomBytes(5).toString('hex') as WebhookGroup;

/** Returns the id of a new webhook in a group. One of 256 is taken if another one of the group has the same millisecond. */
export const newWebhookId = (group: WebhookGroup): WebhookId =>
  (idTime(Date.now()) + group + randomBytes(1).toString('hex')) as WebhookId;
