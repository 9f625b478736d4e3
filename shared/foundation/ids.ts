/** Ids: 24 lower-case hex characters, branded by resource, and sorted by creation time. Browsers use this file too. */
declare const noun: unique symbol;
type Id<Noun extends string> = string & { readonly [noun]: Noun };

export type WebhookId = Id<'webhook'>;
export type DeliveryId = Id<'delivery'>;
export type InviteId = Id<'invite'>;
export type RoleId = Id<'role'>;
export type StaffId = Id<'staff'>;
export type IntegrationId = Id<'integration'>;
export type ApiKeyId = Id<'api key'>;
export type ReplayId = Id<'replay'>;
export type RecoveryId = Id<'recovery'>;
export type EventId = Id<'event'>;
export type SessionId = Id<'session'>;
export type AuditId = Id<'audit entry'>;
export type AnyId =
  | WebhookId
  | DeliveryId
  | InviteId
  | RoleId
  | StaffId
  | IntegrationId
  | ApiKeyId
  | ReplayId
  | RecoveryId
  | EventId
  | SessionId
  | AuditId;

export const idPattern = /^[0-9a-f]{24}$/;

/** Whether a text has the form of an id (docs/compatibility.md, "Requests and responses"). */
export const isId = <T extends AnyId>(text: string): text is T & string => idPattern.test(text);

/** Returns the first 12 hex characters of every id created at that time (epoch ms); sufficient until the year 10889. */
export const idTime = (ms: number): string => Math.floor(ms).toString(16).padStart(12, '0');

/** Returns the time at which an id was created, in epoch ms. */
export const timeOfId = (id: AnyId): number => Number.parseInt(id.slice(0, 12), 16);
