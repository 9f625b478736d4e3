/** The resource of the audit log: who did what to whom, and when. Browsers read its types from here. */
import * as v from 'valibot';
import type { AuditId, IntegrationId } from '../foundation/ids.ts';
import { field, idSchema, type Resource, resource, timeSchema } from '../foundation/resource.ts';
import { auditActions } from './actions.ts';

const nullableText = v.nullable(v.string());
const changed = v.nullable(v.union([v.string(), v.boolean(), v.number()]));

export const auditResource = resource('AuditEntry', {
  id: field(idSchema<AuditId>(), 'The id of the entry.'),
  at: field(timeSchema, 'When it happened.'),
  actor: field(
    v.strictObject({
      type: field(
        v.picklist(['staff', 'integration', 'operator', 'masthead']),
        'A staff member, an integration, the operator of the stage, who has access to its AWS account, or Masthead ' +
          'itself, for example when it disables a webhook after a 410.',
      ),
      id: field(nullableText, 'The id of the staff member or the integration.', 'b6b2d9f0a1c3e5d7f9081726'),
      name: field(
        nullableText,
        'The name of the staff member at that time, or of the integration now; null if it was deleted.',
        'Olive Owner',
      ),
    }),
    'Who did it.',
  ),
  action: field(v.picklist(auditActions), 'What was done.', 'staff.updated'),
  target: field(
    v.strictObject({
      type: field(
        v.picklist(['staff', 'session', 'invite', 'integration', 'webhook', 'site', 'person']),
        'What it was done to.',
      ),
      id: field(v.string(), 'Its id.', '019acb5e0a10a1b2c3d4e5f6'),
      name: field(nullableText, 'Its name, address, device or host at that time.', 'Ada'),
      integration: field(
        v.optional(v.strictObject({ id: idSchema<IntegrationId>(), name: nullableText })),
        'Only for a webhook: its integration, with its name now; null if it was deleted.',
      ),
    }),
    'To whom or what.',
  ),
  changes: field(
    v.record(v.string(), v.strictObject({ from: changed, to: changed })),
    'The fields that changed. A secret has only the fact of its change, a URL its origin and a digest of the rest, ' +
      'and a long text only its beginning.',
    { role: { from: 'Author', to: 'Editor' } },
  ),
});

export type AuditEntry = Resource<typeof auditResource>;
export type Changes = AuditEntry['changes'];
export type Target = AuditEntry['target'];
export type Actor = AuditEntry['actor'];
