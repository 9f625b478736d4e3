/** `GET /admin/audit/`: the audit log, newest first: who did what to whom, and when. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { auditActions } from '../../shared/audit/actions.ts';
import { presentEntry } from '../../shared/audit/entry.ts';
import { listAudit } from '../../shared/audit/list.ts';
import type { AuditEntry } from '../../shared/audit/resource.ts';
import { auditSources } from '../../shared/audit/store.ts';
import { day } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { type AuditId, type IntegrationId, isId } from '../../shared/foundation/ids.ts';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';
import { invalidParameter, readTimeRange } from '../../shared/http/parameters.ts';
import { ok } from '../../shared/http/response.ts';
import { namesOfIntegrations } from '../../shared/integrations/store.ts';
import { createdInvites } from '../../shared/invites/audit.ts';

const maxEntries = 100;
const { keepDays } = settings().audit;

export const handler = endpoint({
  line: 'audit/list',
  handle: async ({ request: { query }, now }) => {
    const { actor, action, target } = query;
    const limit = readLimit(query, maxEntries);
    const { since = 0, until = now + 1 } = readTimeRange(query);
    const filter = {
      actor: readId('actor', actor),
      action: readAction(action),
      target: readId('target', target),
      // DynamoDB deletes entries up to two days late.
      since: Math.max(since, now - keepDays * day),
      until,
    };
    const scope = `audit ${[actor, action, target, query.since, query.until].join(' ')}`;
    const after = readCursor(query, scope, isId<AuditId>);
    const { entries, next } = await listAudit([...auditSources, createdInvites], filter, limit, after);
    return ok({ audit: await withNames(entries), ...paginated(scope, limit, next) });
  },
});

/** Adds the present names of integrations that acted. */
const withNames = async (entries: readonly Omit<AuditEntry, 'at'>[]): Promise<AuditEntry[]> => {
  const ids = entries.flatMap(({ actor }) => (actor.type === 'integration' ? [actor.id as IntegrationId] : []));
  const names = await namesOfIntegrations(ids);
  return entries.map((entry) =>
    presentEntry({
      ...entry,
      actor: { ...entry.actor, name: entry.actor.name ?? names.get(entry.actor.id ?? '') ?? null },
    }),
  );
};

const readId = (name: string, value: string | undefined): string | undefined => {
  if (value === undefined || isId(value)) return value;
  throw invalidParameter(name, value, 'format', 'must be an id');
};

const readAction = (value: string | undefined): AuditEntry['action'] | undefined => {
  const known = auditActions.find((action) => action === value);
  if (value !== undefined && known === undefined)
    throw invalidParameter('action', value, 'known', `must be one of: ${auditActions.join(', ')}`);
  return known;
};
