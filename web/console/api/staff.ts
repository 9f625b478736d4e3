/** The resources of staff, invitations and integrations, and their paginated lists. */
import type { sessionResource } from '../../../shared/accounts/resource.ts';
import type { Resource } from '../../../shared/foundation/resource.ts';
import type { ApiKeyResource } from '../../../shared/integrations/integration.ts';
import type { InviteResource, InviteState } from '../../../shared/invites/resource.ts';
import { get } from './client.ts';
import type { Integration, Page, Role, User } from './resources.ts';

export type { InviteState };
export type Invite = InviteResource;
export type StaffSession = Resource<typeof sessionResource>;
export type ApiKey = ApiKeyResource;

/** Invites per page; each is rendered with its actions. */
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
  // The API checks a few hundred invites per request, and none of them may have the requested status.
  return invites.length === 0 && next !== undefined ? readInvites(status, next, signal) : { items: invites, meta };
};

interface UserPage {
  readonly users: readonly User[];
  readonly meta: { readonly pagination: { readonly limit: number; readonly next: number | null } };
}

export const readMembers = async (cursor: string | undefined, signal: AbortSignal): Promise<PageOf<User>> => {
  const query = { page: cursor, include: 'roles', limit: '100' };
  const { users, meta } = await get<UserPage>('/admin/users/', query, signal);
  const { limit, next } = meta.pagination;
  return { items: users, meta: { pagination: { limit, next: next === null ? null : String(next) } } };
};

export const readIntegrations = async (
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<PageOf<Integration>> => {
  const query = { cursor, include: 'webhooks,api_keys' };
  const { integrations, meta } = await get<Page & { integrations: Integration[] }>(
    '/admin/integrations/',
    query,
    signal,
  );
  return { items: integrations, meta };
};

export interface Roles {
  /** By id. */
  readonly all: ReadonlyMap<string, Role>;
  /** The roles that the member can assign, the highest first. */
  readonly assignable: readonly Role[];
}

/** A stage's own roles come last. */
const byRank = ['Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor'];
const rankOf = ({ name }: Role): number => (byRank.includes(name) ? byRank.indexOf(name) : byRank.length);

export const readRoles = async (signal: AbortSignal): Promise<Roles> => {
  const [{ roles }, assignable] = await Promise.all([
    get<{ roles: Role[] }>('/admin/roles/', {}, signal),
    get<{ roles: Role[] }>('/admin/roles/', { permissions: 'assign' }, signal),
  ]);
  return {
    all: new Map(roles.map((role) => [role.id, role])),
    assignable: assignable.roles.toSorted((one, other) => rankOf(one) - rankOf(other)),
  };
};
