/** The OpenAPI texts of the audit log. */
import * as v from 'valibot';
import { auditActions } from '../../../shared/audit/actions.ts';
import { auditResource } from '../../../shared/audit/resource.ts';
import { idPattern } from '../../../shared/foundation/ids.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts } from '../operation.ts';
import { cursor, limit, time } from '../parameters.ts';

const id = v.pipe(v.string(), v.regex(idPattern));
export const audit = {
  'audit/list': {
    summary: 'List the audit log',
    description:
      'Who did what to whom, newest first: changes to keys, integrations, webhooks, secrets, staff and invites, and sign-ins. The actor `masthead` is Masthead itself: for example, it disables a webhook after a 410, or one that has failed for too long. Each entry is stored together with its change, for 90 days by default. A page reads at most 1,000 entries: if few of them match the filters it can be short or empty; continue while there is a `next`.',
    query: {
      actor: { schema: id, description: 'Only what this staff member or integration did.', invalid: 'it is not an id' },
      action: {
        schema: v.picklist(auditActions),
        description: 'Only this action.',
        invalid: 'it is not an action of the log',
      },
      target: {
        schema: id,
        description: 'Only what was done to the resource with this id.',
        invalid: 'it is not an id',
      },
      since: { schema: time, description: 'Only entries of this time or later.', invalid: 'it is not a time' },
      until: {
        schema: time,
        description: 'Only entries before this time.',
        invalid: 'it is not a time, or before `since`',
      },
      limit,
      cursor,
    },
    answer: { status: 200, root: 'audit', item: auditResource, pages: 'always' },
    examples: {
      'changed-roles': {
        summary: 'What was changed about a staff member',
        query: { action: 'staff.updated', limit: '1' },
        answer: [
          exampleOf(auditResource, {
            id: '019acb5e0b10a1b2c3d4e5f6',
            at: '2026-11-21T09:25:00.000Z',
            actor: { type: 'staff', id: 'b6b2d9f0a1c3e5d7f9081726', name: 'Olive Owner' },
            target: { type: 'staff', id: '019acb5e0a10a1b2c3d4e5f6', name: 'Ada' },
            changes: { name: { from: 'Ada', to: 'Ada Lovelace' }, role: { from: 'Author', to: 'Editor' } },
          }),
        ],
        pagination: { limit: 1, next: null },
      },
    },
  },
} satisfies Record<string, OperationTexts>;
