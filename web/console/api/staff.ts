/** The resources of staff, invitations and integrations, as docs/openapi.json describes them, and how their lists are read. */
import { get } from './client.ts';
import type { Integration, Page, Role, User } from './resources.ts';

export const inviteStates = [
  'pending',
  'sent',
  'accepted',
  'bounced',
  'complained',
  'expired',
  'revoked',
  'replaced',
] as const;
export type InviteState = (typeof inviteStates)[number];

export interface Invite {
  readonly id: string;
  readonly role_id: string;
  readonly status: InviteState;
  readonly email: string;
  /** Epoch ms. */
  readonly expires: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Only in the answer to the request that creates the invite without a mail. */
  readonly link?: string;
  readonly history?: readonly { readonly status: InviteState; readonly at: string; readonly reason: string | null }[];
}

export interface StaffSession {
  readonly id: string;
  readonly device: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly current: boolean;
}

export interface ApiKey {
  readonly id: string;
  /** Only in the answer to the request that creates the key. */
  readonly secret: string | null;
  readonly created_at: string;
  /** The hour of its last use. */
  readonly last_seen_at: string | null;
  /** When a key that was rolled with an overlap ends. */
  readonly valid_until: string | null;
}

export interface IntegrationWithKeys extends Integration {
  readonly api_keys?: readonly ApiKey[];
}

/** How many invites are read at once: each is drawn with its actions. */
const invitesOfPage = '25';

type PageOf<Item> = Page & { readonly items: readonly Item[] };

export const readInvites = async (
  status: string | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<PageOf<Invite>> => {
  const query = { status, cursor, include: 'history', limit: invitesOfPage };
  const { invites, meta } = await get<Page & { invites: Invite[] }>('/admin/invites/', query, signal);
  const next = meta.pagination.next ?? undefined;
  // The API checks some hundred invites in each request: none of them may have the status.
  return invites.length === 0 && next !== undefined ? readInvites(status, next, signal) : { items: invites, meta };
};

export const readMembers = async (cursor: string | undefined, signal: AbortSignal): Promise<PageOf<Member>> => {
  const { users, meta } = await get<Page & { users: Member[] }>('/admin/users/', { cursor, include: 'roles' }, signal);
  return { items: users, meta };
};

export interface Member extends User {
  /** Whether a mail has reached the address. */
  readonly email_verified: boolean;
  readonly created_at: string;
  /** The hour in which a key or a session of the member was last used. */
  readonly last_seen: string | null;
}

export const readIntegrations = async (
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<PageOf<IntegrationWithKeys>> => {
  const query = { cursor, include: 'webhooks,api_keys' };
  const { integrations, meta } = await get<Page & { integrations: IntegrationWithKeys[] }>(
    '/admin/integrations/',
    query,
    signal,
  );
  return { items: integrations, meta };
};

export interface Roles {
  /** By id. */
  readonly all: ReadonlyMap<string, Role>;
  /** Those that the member can assign. */
  readonly assignable: readonly Role[];
}

export const readRoles = async (signal: AbortSignal): Promise<Roles> => {
  const [{ roles }, assignable] = await Promise.all([
    get<{ roles: Role[] }>('/admin/roles/', {}, signal),
    get<{ roles: Role[] }>('/admin/roles/', { permissions: 'assign' }, signal),
  ]);
  return { all: new Map(roles.map((role) => [role.id, role])), assignable: assignable.roles };
};
