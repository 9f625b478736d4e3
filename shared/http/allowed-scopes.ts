/** Which scopes of a key open an endpoint to an integration. */
import type { EndpointLine } from '../contract.ts';
import type { Scope } from '../foundation/scopes.ts';

/** Endpoints that neither only read nor change webhooks. Who invites needs the ids of roles; a preview and a trial show stored events. */
const others: Readonly<Record<string, readonly Scope[]>> = {
  'events/publish': ['publish'],
  'invites/create': ['invites'],
  'roles/list': ['invites', 'read'],
  'webhooks/preview': ['read'],
  'webhooks/try-filter': ['read'],
};

/** Returns the scopes of which a key must have one; a key without scopes may call all endpoints of integrations. */
export const scopesOf = ({ function: name, method }: Pick<EndpointLine, 'function' | 'method'>): readonly Scope[] =>
  others[name] ?? [method === 'GET' ? 'read' : 'webhooks'];
