/** The Ghost sites that are connected to the stage, and the command that compares a site's webhooks with the stage's. */
import { importCommand } from '../../../shared/integrations/relay/import-command.ts';
import type { RelayResource } from '../../../shared/integrations/relay/resource.ts';
import { type QueryState, useQuery } from '../use-query.ts';
import { baseUrl, get } from './client.ts';

export type Relay = RelayResource;

const everyMs = 30_000;

/** Returns the connected sites, for the Owner and Administrators. */
export const useRelays = (): QueryState<readonly Relay[]> =>
  useQuery('relays', async (signal) => (await get<{ relays: Relay[] }>('/admin/relays/', {}, signal)).relays, everyMs);

/** Returns the command that compares the site with the stage, or moves what was added there. */
export const ghostCommand = ({ site }: Relay, isMove = false): string =>
  importCommand(site, baseUrl, isMove ? '--apply --switch' : '--check');
