/** The expected responses, by the contract's callers and the ownership of ids (docs/compatibility.md). */
import type { EndpointLine } from '../../shared/contract.ts';
import type { Scope } from '../../shared/foundation/scopes.ts';
import type { Expectation } from './expectations.ts';

/** An integration that owns webhooks. The second may not publish events; a scope's key is limited to that scope. */
export type Party = 'first' | 'second' | Scope;

export interface Caller {
  readonly name: string;
  /** `anonymous` sends no credentials, `impostor` credentials that are not valid. */
  readonly kind: 'staff' | 'integration' | 'anonymous' | 'impostor';
  readonly role?: string;
  readonly party?: Party;
  readonly scope?: Scope;
  readonly inSession?: true;
  /** The credentials of a fresh request; absent for the anonymous caller. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

export interface Target {
  readonly name: string;
  readonly state: 'known' | 'unknown' | 'malformed';
  readonly party?: Party;
  /** The role that it assigns, if it is an invite or a role. */
  readonly role?: string;
  /** The role of the staff member whose it is, if it is a session. */
  readonly member?: string;
  /** State of a second id in the path, such as that of a delivery; `foreign` belongs to another resource. */
  readonly child?: 'known' | 'foreign' | 'unknown' | 'malformed';
}

/** `allowed`, or the status of the refusal. */
export type Verdict = 'allowed' | 401 | 403 | 404 | 422;

const byEditors = ['Author', 'Contributor'];
const byIntegrations = ['Super Editor', 'Editor', ...byEditors];
const byAdministrators = ['Administrator', ...byIntegrations];

/** Returns the roles that a caller can assign (docs/compatibility.md, "Roles"), stated again to detect mistakes. */
export const assignableBy = ({ kind, role }: Caller): readonly string[] => {
  if (kind === 'integration') return byIntegrations;
  if (role === 'Owner' || role === 'Administrator') return byAdministrators;
  return role === 'Super Editor' || role === 'Editor' ? byEditors : [];
};

/** Returns the expected response; checks credentials, caller and rights, ids' form, existence, and then ownership. */
export const verdictOn = (line: EndpointLine, { needs }: Expectation, caller: Caller, target: Target): Verdict => {
  const isOpen = line.callers.includes('anyone');
  if (!isOpen && caller.kind === 'anonymous') return 403;
  if (!isOpen && caller.kind === 'impostor') return 401;
  if (!isOpen && !line.callers.some((allowed) => isOneOf(caller, allowed))) return 403;
  if (caller.scope !== undefined && !isInScope(caller.scope, line)) return 403;
  if (target.state === 'malformed' || target.child === 'malformed') return 422;
  if (needs === 'a signature') return 401;
  if (target.state === 'unknown') return 404;
  if (needs === 'to manage staff' && caller.role !== 'Owner' && caller.role !== 'Administrator') return 403;
  if (target.party !== undefined && caller.kind === 'integration' && caller.party !== target.party) return 403;
  if (target.child === 'foreign' || target.child === 'unknown') return 404;
  if (target.role !== undefined && line.method !== 'GET' && !assignableBy(caller).includes(target.role)) return 403;
  if (target.member !== undefined && caller.role !== target.member) return 404;
  if (needs === 'a session' && caller.inSession === undefined) return 404;
  if (needs === 'to publish' && caller.party === 'second') return 403;
  return 'allowed';
};

/** Restates docs/compatibility.md, "Integrations", to detect mistakes in the product. */
const isInScope = (scope: Scope, { function: name, method }: EndpointLine): boolean => {
  if (name === 'events/publish') return scope === 'publish';
  if (name === 'invites/create') return scope === 'invites';
  if (name === 'roles/list' && scope === 'invites') return true;
  const isReading = method === 'GET' || name === 'webhooks/preview' || name === 'webhooks/try-filter';
  return scope === (isReading ? 'read' : 'webhooks');
};

const isOneOf = (caller: Caller, allowed: EndpointLine['callers'][number]): boolean => {
  if (allowed === 'integration' || allowed === 'staff') return caller.kind === allowed;
  return caller.kind === 'staff' && caller.role === allowed;
};
