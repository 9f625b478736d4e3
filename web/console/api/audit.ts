/** Reads the audit log. */
import { auditActions } from '../../../shared/audit/actions.ts';
import type { AuditEntry } from '../../../shared/audit/resource.ts';
import { get } from './client.ts';
import type { Page } from './resources.ts';

export type { AuditEntry };
export { auditActions };

/** Entries per page. */
const entriesOfPage = '25';

/** Reads a page. Empty pages are skipped, because the entries of a rare action may all be on later ones. */
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

/** A webhook rarely changes more often than this after it was disabled. */
const looked = '10';

/** Returns the audit entry of the last time that a webhook was disabled; null if the log no longer has it. @throws ApiError, OfflineError */
export const readDisabling = async (webhook: string, signal: AbortSignal): Promise<AuditEntry | null> => {
  const { audit } = await get<{ audit: AuditEntry[] }>('/admin/audit/', { target: webhook, limit: looked }, signal);
  return audit.find(({ action }) => action === 'webhook.disabled') ?? null;
};
