/** The Ghost sites that are connected to the stage, and the command that compares a site's webhooks with the stage's. */
import type { RelayResource } from '../../../shared/integrations/relay/resource.ts';
import { type QueryState, useQuery } from '../use-query.ts';
import { baseUrl, get } from './client.ts';

export type Relay = RelayResource;

const everyMs = 30_000;

/** Returns the connected sites, for the Owner and Administrators. */
export const useRelays = (): QueryState<readonly Relay[]> =>
  useQuery('relays', async (signal) => (await get<{ relays: Relay[] }>('/admin/relays/', {}, signal)).relays, everyMs);

/** The import names an integration `Ghost <URL without its scheme>`, but a person may have renamed it. */
const siteOf = ({ site }: Relay): string => {
  const [, address] = /^Ghost (\S+)$/.exec(site) ?? [];
  return address === undefined ? '<site>' : `https://${address}`;
};

/**
 * Returns the command that lists the webhooks at Ghost which no relay covers; only the site knows them. On this machine the command finds the stage.
 * @param isMove whether the command also moves them
 */
export const ghostCommand = (relay: Relay, isMove = false): string => {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(new URL(baseUrl).hostname);
  const url = isLocal ? '' : ` --url ${baseUrl}`;
  const act = isMove ? '--apply --switch' : '--check';
  return `npm run ops -- import-ghost --from ${siteOf(relay)} --key <token>${url} ${act}`;
};
