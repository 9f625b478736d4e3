/** What the attack suite expects of each endpoint beyond the contract: what its path names, and further rights. */
import type { EndpointLine, FunctionName } from '../../shared/contract.ts';

export interface Expectation {
  /**
   * What `{id}` or `{token}` of the path, or `role_id` of the body, names, by which callers are refused. A webhook
   * belongs to an integration, an invite to those who can assign its role. A site has no move yet; a move has one.
   */
  readonly names:
    | 'webhook'
    | 'integration'
    | 'invite'
    | 'role'
    | 'link'
    | 'sign-in link'
    | 'session'
    | 'user'
    | 'recovery'
    | 'site'
    | 'move'
    | 'nothing';
  /** The right that a caller needs in addition to being one of the line's callers. */
  readonly needs?: 'to publish' | 'to manage staff' | 'a signature' | 'a session';
}

/** By function. An endpoint of the contract that is missing here fails `npm run check`. */
const expectations: { readonly [name in FunctionName]?: Expectation } = {
  'webhooks/create': { names: 'nothing' },
  'webhooks/update': { names: 'webhook' },
  'webhooks/delete': { names: 'webhook' },
  'webhooks/disable': { names: 'webhook' },
  'webhooks/enable': { names: 'webhook' },
  'webhooks/ping': { names: 'webhook' },
  'webhooks/rotate-secret': { names: 'webhook' },
  'webhooks/read-options': { names: 'webhook' },
  'webhooks/update-options': { names: 'webhook' },
  'webhooks/preview': { names: 'nothing' },
  'webhooks/try-filter': { names: 'webhook' },
  'deliveries/list': { names: 'webhook' },
  'deliveries/list-all': { names: 'nothing' },
  'deliveries/read': { names: 'webhook' },
  'deliveries/redeliver': { names: 'webhook' },
  'replays/create': { names: 'webhook' },
  'replays/read': { names: 'webhook' },
  'recoveries/create': { names: 'nothing' },
  'recoveries/read': { names: 'recovery' },
  'stats/read': { names: 'nothing' },
  'overview/read': { names: 'nothing' },
  'roles/list': { names: 'nothing' },
  'invites/create': { names: 'role' },
  'invites/list': { names: 'nothing' },
  'invites/read': { names: 'invite' },
  'invites/delete': { names: 'invite' },
  'invites/resend': { names: 'invite' },
  'invites/status': { names: 'nothing' },
  'invites/accept': { names: 'link' },
  'invites/show-page': { names: 'link' },
  'invites/accept-page': { names: 'link' },
  'audit/list': { names: 'nothing' },
  'events/publish': { names: 'nothing', needs: 'to publish' },
  'integrations/list': { names: 'nothing' },
  'integrations/read': { names: 'integration' },
  'integrations/create': { names: 'nothing' },
  'integrations/update': { names: 'integration' },
  'integrations/delete': { names: 'integration' },
  'integrations/refresh-key': { names: 'integration' },
  'sessions/request': { names: 'nothing' },
  'sessions/create': { names: 'sign-in link' },
  'sessions/show-page': { names: 'sign-in link' },
  'sessions/create-on-page': { names: 'sign-in link' },
  'sessions/list': { names: 'nothing' },
  'sessions/end-current': { names: 'nothing', needs: 'a session' },
  'sessions/end': { names: 'session' },
  'users/list': { names: 'nothing' },
  'users/list-sessions': { names: 'user' },
  'users/end-session': { names: 'user' },
  'users/read': { names: 'user', needs: 'to manage staff' },
  'users/read-by-email': { names: 'nothing' },
  'users/read-by-slug': { names: 'nothing' },
  'users/update': { names: 'user', needs: 'to manage staff' },
  'users/change-email': { names: 'user', needs: 'to manage staff' },
  'users/delete': { names: 'user' },
  'users/renew-token': { names: 'user', needs: 'to manage staff' },
  'site/read': { names: 'nothing' },
  'config/read': { names: 'nothing' },
  'integrations/replace-inbound-secret': { names: 'integration' },
  'relays/list': { names: 'nothing' },
  'relays/update': { names: 'integration' },
  'moves/update': { names: 'site' },
  'moves/read': { names: 'move' },
  'moves/read-secrets': { names: 'move' },
  'moves/delete': { names: 'move' },
  'inbound/ghost': { names: 'nothing', needs: 'a signature' },
  'openapi/read': { names: 'nothing' },
  'openapi/page': { names: 'nothing' },
  'openapi/asset': { names: 'nothing' },
  'console/page': { names: 'nothing' },
  'console/asset': { names: 'nothing' },
};

/** Returns the expectation of an endpoint. @throws Error with the line to add if there is none */
export const expectationOf = (line: EndpointLine): Expectation => {
  const found = expectations[line.function as FunctionName];
  if (found === undefined)
    throw new Error(
      `The contract has the endpoint ${line.function} (${line.method} ${line.path}), and the attack suite does ` +
        `not cover it. Add its line to test/attack/expectations.ts, such as '${line.function}': { names: ` +
        `'nothing' } (CONTRIBUTING.md, "Add an endpoint").`,
    );
  return found;
};

/** Returns the names of expectations that no endpoint of the contract has. */
export const unusedExpectations = (lines: readonly EndpointLine[]): string[] =>
  Object.keys(expectations).filter((name) => !lines.some((line) => line.function === name));
