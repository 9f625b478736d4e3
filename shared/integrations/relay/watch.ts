/** Watches relays: publishes `relay.silent` after an unusual silence, as Ghost sends each event only once. */
import { count } from '../../aws/metrics.ts';
import { dueAt } from '../../due/due-index.ts';
import { type OutboxMessage, sendStored, storeMessage } from '../../due/outbox.ts';
import { ownEvent } from '../../events/own-event.ts';
import { minute, systemClock, timestamp } from '../../foundation/clock.ts';
import type { IntegrationId } from '../../foundation/ids.ts';
import { remove, write } from '../../table/item.ts';
import type { Key } from '../../table/table-key.ts';
import { transact } from '../../table/transaction.ts';
import { readIntegration } from '../store.ts';
import { watchIn } from './item.ts';
import { relayOf } from './list.ts';
import type { RelayResource } from './resource.ts';
import { readRelay, watchKey } from './store.ts';

const everyMs = 6 * minute;

/** Starts to watch the relay of an integration. `now` in epoch ms. */
export const watchRelay = (id: IntegrationId, now: number): Promise<void> =>
  write(watchKey(id), { set: dueAt(watchKey(id), now + everyMs) });

/** Returns the integration whose relay is watched by the item with this key. */
export const relayOfKey = ({ pk }: Key): IntegrationId => pk.slice('RELAY#'.length) as IntegrationId;

/** Checks relays, and publishes each silence once. @throws ServiceUnavailableError: they are due again */
export const reportSilentRelays = async (ids: readonly IntegrationId[]): Promise<void> => {
  const now = systemClock();
  const silent = await Promise.all(ids.map((id) => checkOne(id, now)));
  // Write a zero too: otherwise the alarm would stay active after the last silence.
  count('RelaysSilent', silent.filter(Boolean).length);
};

const checkOne = async (id: IntegrationId, now: number): Promise<boolean> => {
  const integration = await readIntegration(id);
  if (integration === undefined) {
    await remove(watchKey(id));
    return false;
  }
  const items = await readRelay(id);
  const relay = relayOf(integration, items, now);
  const { silent_since } = relay;
  if (silent_since === null) return false;
  if (watchIn(items).announced === silent_since) return true;
  const event = relaySilent(relay, silent_since, now);
  await transact([
    { kind: 'update', key: watchKey(id), change: { set: { announced: silent_since } } },
    storeMessage(event),
  ]);
  await sendStored([event]);
  return true;
};

/** Id and content are derived from the silence, so that publishing it again creates the same deliveries. */
const relaySilent = ({ integration_id, site }: RelayResource, silent_since: string, now: number): OutboxMessage =>
  ownEvent('relay.silent', `relay-silent-${integration_id}-${Date.parse(silent_since)}`, timestamp(now), {
    relay: { current: { integration_id, site, silent_since }, previous: {} },
  });
