/** The audit log, and how it is read. */
import { auditActions } from '../../../shared/audit/actions.ts';
import type { AuditEntry } from '../../../shared/audit/resource.ts';
import { get } from './client.ts';
import type { Page } from './resources.ts';

export type { AuditEntry };
export { auditActions };

/** How many entries are read at once. */
const entriesOfPage = '25';

/** Reads a page; a rare action may be on a later one, so that empty pages are passed over. */
export const readAudit = async (
  action: AuditEntry['action'] | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page & { readonly items: readonly AuditEntry[] }> => {
  const query = { action, cursor, limit: entriesOfPage };
  const { audit, meta } = await get<Page & { audit: AuditEntry[] }>('/admin/audit/', query, signal);
  const next = meta.pagination.next ?? undefined;
  return audit.length === 0 && next !== undefined ? readAudit(action, next, signal) : { items: audit, meta };
};
