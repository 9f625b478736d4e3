/** `GET /admin/relays/`: returns the connected Ghost sites, and whether their events arrive. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/integrations/example.ts';
import { listRelays } from '../../shared/integrations/relay/list.ts';
import { relayResource } from '../../shared/integrations/relay/resource.ts';

export const handler = endpoint({
  line: 'relays/list',
  answer: { status: 200, root: 'relays', item: relayResource },
  handle: async ({ now, reply }) => reply(await listRelays(now)),
});

export const documentation = (): Documentation => ({
  tag: 'Events',
  summary: 'List the connected Ghost sites',
  description:
    'The integrations that have an inbound secret, with what has arrived through their relays. ' +
    'Ghost tries once, so an event that does not arrive is lost: look here first.',
  examples: {
    list: {
      summary: 'A site whose events arrive, and a request without a signature',
      answer: [example.relay],
    },
  },
});
