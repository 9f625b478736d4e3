/** `GET /admin/relays/`: returns the connected Ghost sites, and whether their events arrive. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { listRelays } from '../../shared/integrations/relay/list.ts';

export const handler = endpoint({
  line: 'relays/list',
  handle: async ({ now }) => ok({ relays: await listRelays(now) }),
});
