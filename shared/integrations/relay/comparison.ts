/** What a comparison of a site's webhooks with those here has found: only a person has the key of the site. */
import * as v from 'valibot';
import { actorOf, changesBetween } from '../../audit/entry.ts';
import { record } from '../../audit/store.ts';
import type { Caller } from '../../foundation/caller.ts';
import { timestamp } from '../../foundation/clock.ts';
import { NotFoundError } from '../../foundation/errors.ts';
import { creationOf, maxChars, objectOf, requestItem, text } from '../../foundation/fields.ts';
import type { IntegrationId } from '../../foundation/ids.ts';
import { settableEntries } from '../../foundation/resource.ts';
import { exists } from '../../table/condition.ts';
import { ConditionFailed } from '../../table/conditional.ts';
import { update } from '../../table/item.ts';
import { asTarget } from '../integration.ts';
import { noIntegration } from '../manage.ts';
import { readIntegration } from '../store.ts';
import type { WatchItem } from './item.ts';
import { showRelay } from './list.ts';
import { type RelayResource, relayResource } from './resource.ts';
import { watchKey } from './store.ts';

const unmovedWebhooks = objectOf({
  event: v.pipe(text, maxChars(50)),
  count: v.pipe(
    v.number('must be a number.'),
    v.integer('must be a whole number.'),
    v.minValue(1, 'must be 1 or more.'),
  ),
});

/** More entries than Ghost has events. */
const maxEntries = 100;

export const comparison = requestItem('RelayChanges', {
  ...creationOf(settableEntries(relayResource)),
  unmoved: v.pipe(
    v.array(unmovedWebhooks, 'must be an array.'),
    v.maxLength(maxEntries, `must have at most ${maxEntries} entries.`),
  ),
});

export type Comparison = v.InferOutput<typeof comparison>;

/** Records a comparison, and returns the relay. @throws NotFoundError without an inbound secret */
export const recordComparison = async (
  id: IntegrationId,
  found: Comparison,
  caller: Caller,
  now: number,
): Promise<RelayResource> => {
  const integration = await readIntegration(id);
  if (integration === undefined) throw noIntegration(id);
  try {
    await update<WatchItem>(watchKey(id), { set: { compared_at: timestamp(now), ...found } }, exists());
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new NotFoundError(`The integration \`${id}\` has no inbound secret, so no site is connected to it.`, {
      help: 'POST /admin/integrations/{id}/inbound_secret/ makes one.',
    });
  }
  const unmoved = found.unmoved.reduce((sum, { count }) => sum + count, 0);
  await record(actorOf(caller), 'relay.compared', asTarget(integration), changesBetween({}, { ...found, unmoved }));
  return showRelay(integration, now);
};
