/** The actions of the audit log. Browsers import this file, so it must not import anything itself. */

/** The resource, and what was done to it. */
export const auditActions = [
  'staff.added',
  'staff.updated',
  'staff.address.requested',
  'staff.removed',
  'staff.token.renewed',
  'session.started',
  'session.ended',
  'invite.created',
  'invite.resent',
  'invite.revoked',
  'integration.created',
  'integration.updated',
  'integration.deleted',
  'integration.key.replaced',
  'integration.inbound_secret.replaced',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.enabled',
  'webhook.secret.rotated',
  'webhook.pinged',
  'webhook.redelivered',
  'webhook.replayed',
  'relay.compared',
  'move.started',
  'move.ended',
  'move.secrets.read',
] as const;
export type AuditAction = (typeof auditActions)[number];
