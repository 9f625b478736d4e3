/** Reads the audit log. */
import { auditActions } from '../../../shared/audit/actions.ts';
import type { AuditEntry } from '../../../shared/audit/resource.ts';
import { get } from './client.ts';
import type { Page } from './resources.ts';

export type { AuditEntry };
export { auditActions };

const entriesOfPage = '25';

type Query = Readonly<Record<'action' | 'actor' | 'since' | 'until' | 'cursor', string | undefined>>;

/** Reads a page. Empty pages are skipped, because the entries of a rare action may all be on later ones. */
export const readAudit = async (
  query: Query,
  signal: AbortSignal,
): Promise<Page & { readonly items: readonly AuditEntry[] }> => {
  const page = { ...query, limit: entriesOfPage };
  const { audit, meta } = await get<Page & { audit: AuditEntry[] }>('/admin/audit/', page, signal);
  const cursor = meta.pagination.next ?? undefined;
  return audit.length === 0 && cursor !== undefined ? readAudit({ ...query, cursor }, signal) : { items: audit, meta };
};

/** A webhook rarely changes more often than this after it was disabled. */
const looked = '10';

/** Returns a webhook's last disabling in the audit log; null if it is not there. @throws ApiError, OfflineError */
export const readDisabling = async (webhook: string, signal: AbortSignal): Promise<AuditEntry | null> => {
  const { audit } = await get<{ audit: AuditEntry[] }>('/admin/audit/', { target: webhook, limit: looked }, signal);
  return audit.find(({ action }) => action === 'webhook.disabled') ?? null;
};
