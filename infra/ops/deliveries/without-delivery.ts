/** Says which webhooks have no delivery of an event, and why. */
import * as v from 'valibot';
import type { Caller } from '../../command-line/client.ts';
import { request } from '../api/request.ts';
import { type KnownWebhooks, namesOf } from '../commands/find.ts';

const ids = v.array(v.string());

/** What the API says of the event whose deliveries it lists. */
const list = v.object({
  meta: v.object({
    event: v.optional(
      v.object({
        title: v.nullable(v.string()),
        left_out: v.array(v.object({ webhook_id: v.string(), part: v.string() })),
        changed: ids,
        later: ids,
        removed: v.nullable(v.number()),
      }),
    ),
  }),
});

/** Returns a line for what has happened, and one for each reason; empty if no event, or several, have this id. @throws RequestError */
export const withoutDelivery = async (caller: Caller, event_id: string, known: KnownWebhooks): Promise<string[]> => {
  const path = `/admin/deliveries/?${new URLSearchParams({ event_id, limit: '1' })}`;
  const { event } = v.parse(list, await request(caller, 'GET', path)).meta;
  if (event === undefined) return [];
  const withName = namesOf(known);
  const line = (reason: string, webhooks: readonly string[]): string[] =>
    webhooks.length === 0 ? [] : [`${reason}: ${webhooks.map(withName).join(', ')}`];
  return [
    ...(event.title === null ? [] : [`\n${event.title}`]),
    ...event.left_out.map(({ webhook_id, part }) => `Left out by the filter of ${withName(webhook_id)}: ${part}`),
    ...line('Changed since, and without a delivery of it', event.changed),
    ...line('Created later', event.later),
    ...((event.removed ?? 0) > 0 ? [`Deleted since: ${event.removed}, whose deliveries are not listed`] : []),
  ];
};
