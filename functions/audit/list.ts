/** `GET /admin/audit/`: the audit log, newest first: who did what to whom, and when. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { auditActions } from '../../shared/audit/actions.ts';
import { presentEntry } from '../../shared/audit/entry.ts';
import { listAudit } from '../../shared/audit/list.ts';
import { type AuditEntry, auditResource } from '../../shared/audit/resource.ts';
import { auditSources } from '../../shared/audit/store.ts';
import { day } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { exampleOf } from '../../shared/foundation/example-of.ts';
import type { AuditId, IntegrationId, StaffId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { choice, idParameter, timeRange } from '../../shared/http/query.ts';
import { namesOfIntegrations } from '../../shared/integrations/store.ts';
import { createdInvites } from '../../shared/invites/audit.ts';

export const handler = endpoint({
  line: 'audit/list',
  query: {
    actor: idParameter<StaffId | IntegrationId>('Only what this staff member or integration did.'),
    action: choice(auditActions, 'Only this action.', 'it is not an action of the log'),
    target: idParameter('Only what was done to the resource with this id.'),
    ...timeRange('Only entries of this time or later.', 'Only entries before this time.'),
  },
  pages: { max: 100 },
  answer: { status: 200, root: 'audit', item: auditResource },
  handle: async ({ query, page, now, reply }) => {
    const { since = 0, until = now + 1 } = query;
    // DynamoDB deletes entries up to two days late.
    const oldest = now - settings().audit.keepDays * day;
    const filter = { ...query, since: Math.max(since, oldest), until };
    const sources = [...auditSources, createdInvites];
    const { entries, next } = await listAudit(sources, filter, page.limit, page.after<AuditId>());
    return reply(await withNames(entries), { next });
  },
});

/** Adds the present names of integrations that acted, or whose webhooks were changed. */
const withNames = async (entries: readonly Omit<AuditEntry, 'at'>[]): Promise<AuditEntry[]> => {
  const ids = entries.flatMap(({ actor, target }) => [
    ...(actor.type === 'integration' ? [actor.id as IntegrationId] : []),
    ...(target.integration === undefined ? [] : [target.integration.id]),
  ]);
  const names = await namesOfIntegrations(ids);
  return entries.map(({ actor, target, ...entry }) => {
    const { integration } = target;
    return presentEntry({
      ...entry,
      actor: { ...actor, name: actor.name ?? names.get(actor.id ?? '') ?? null },
      target: {
        ...target,
        ...(integration !== undefined && { integration: { ...integration, name: names.get(integration.id) ?? null } }),
      },
    });
  });
};

export const documentation = (): Documentation => ({
  tag: 'Audit',
  summary: 'List the audit log',
  description:
    'Who did what to whom, newest first: changes to keys, integrations, webhooks, secrets, staff and invites, and ' +
    'sign-ins. The actor `masthead` is Masthead itself: for example, it disables a webhook after a 410, or one ' +
    'that has failed for too long. Each entry is stored together with its change, for 90 days by default. ' +
    'A page reads at most 1,000 entries: if few of them match the filters it can be short or empty; ' +
    'continue while there is a `next`.',
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
});
