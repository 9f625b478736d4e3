/**
 * Assigns new webhooks to groups of up to ten that are created for the same event one after another, so that a delivery worker can read and write the
 * group's data together.
 */
import { second, systemClock } from '../foundation/clock.ts';
import { withFormat } from '../foundation/format.ts';
import { groupOf, type WebhookGroup } from '../foundation/ids.ts';
import { newGroup } from '../foundation/new-id.ts';
import { anyOf, below, missing } from '../table/condition.ts';
import type { Write } from '../table/transaction.ts';
import { newestSubscribers } from './subscriptions.ts';
import { groupKey } from './table-keys.ts';

/** A group has as many webhooks as a message has deliveries. */
const maxMembers = 10;
/** How long an environment assumes that no other environment creates webhooks for the same event. */
const knownMs = 10 * second;

interface Newest {
  readonly group: WebhookGroup;
  readonly members: number;
  readonly readAt: number;
}

/** By event: names of events are few. */
const newest = new Map<string, Newest>();

/** Returns the group of a new webhook for an event: the newest one of that event if it has room. */
export const chooseGroup = async (event: string): Promise<WebhookGroup> => {
  const now = systemClock();
  const known = newest.get(event);
  const last = known === undefined || now - known.readAt >= knownMs ? await readNewest(event, known, now) : known;
  const chosen = last.members < maxMembers ? last : emptyGroup(now);
  newest.set(event, { ...chosen, members: chosen.members + 1 });
  return chosen.group;
};

/**
 * Returns the write that adds a new webhook to a group: it fails if the group is full, because environments that create webhooks at the same time
 * choose the same one. A deleted webhook keeps its place.
 */
export const joinGroup = (group: WebhookGroup): Write => ({
  kind: 'update',
  key: groupKey(group),
  change: { set: withFormat({}), add: { members: 1 } },
  condition: anyOf(missing('members'), below('members', maxMembers)),
});

/** Remembers that a group is full. */
export const rememberFull = (event: string, group: WebhookGroup): void => {
  const known = newest.get(event);
  if (known?.group === group) newest.set(event, { ...known, members: maxMembers });
};

const emptyGroup = (now: number): Newest => ({ group: newGroup(), members: 0, readAt: now });

/** Members that have a different event by now are not found, but `known` counts those that this environment has added. */
const readNewest = async (event: string, known: Newest | undefined, now: number): Promise<Newest> => {
  const webhooks = (await newestSubscribers(event, maxMembers)).map(({ webhook_id }) => webhook_id);
  const [last] = webhooks;
  if (last === undefined) return emptyGroup(now);
  const group = groupOf(last);
  const members = webhooks.filter((id) => groupOf(id) === group).length;
  return { group, members: Math.max(members, known?.group === group ? known.members : 0), readAt: now };
};
