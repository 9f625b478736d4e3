/** Lists the relays of a stage: the integrations that have an inbound secret, with what has arrived. */
import { present } from '../../foundation/resource.ts';
import type { Integration } from '../integration.ts';
import { listIntegrations } from '../store.ts';
import { type RelayItem, stateIn } from './item.ts';
import { type RelayResource, relayResource } from './resource.ts';
import { readRelay } from './store.ts';

/** Returns all relays. `now` in epoch ms. */
export const listRelays = async (now: number): Promise<RelayResource[]> => {
  const relays: RelayResource[] = [];
  let after: Integration['id'] | undefined;
  do {
    const { integrations, next } = await listIntegrations(100, after);
    const connected = integrations.filter(({ inbound_secret }) => inbound_secret !== undefined);
    relays.push(...(await Promise.all(connected.map((one) => showRelay(one, now)))));
    after = next ?? undefined;
  } while (after !== undefined);
  return relays;
};

/** Returns the relay of an integration. `now` in epoch ms. */
export const showRelay = async (integration: Integration, now: number): Promise<RelayResource> =>
  relayOf(integration, await readRelay(integration.id), now);

/** Returns the relay of an integration, from its items. `now` in epoch ms. */
export const relayOf = ({ id, name }: Integration, items: readonly RelayItem[], now: number): RelayResource =>
  present(relayResource, { integration_id: id, site: name, ...stateIn(items, now) });
