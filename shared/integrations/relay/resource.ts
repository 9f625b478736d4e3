/** The state of a relay as clients see it: whether the events of a Ghost site arrive. */
import * as v from 'valibot';
import type { IntegrationId } from '../../foundation/ids.ts';
import {
  field,
  idSchema,
  type Resource,
  resource,
  timeSchema,
  type WritableName,
  writable,
} from '../../foundation/resource.ts';

/** Why a site's request was refused, derived from the response. */
export const refusalReasons = [
  'signature_missing',
  'signature_wrong',
  'signature_expired',
  'event',
  'body',
  'size',
  'rate',
  'delivery_of_masthead',
  'other',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export const relayResource = resource('Relay', {
  integration_id: field(idSchema<IntegrationId>(), 'The integration whose inbound secret the site signs with.'),
  site: field(v.string(), 'The name of the integration.', 'Ghost blog.example'),
  last_event_at: field(
    v.nullable(timeSchema),
    'When the last event of the site was accepted; null if none was within 28 days.',
  ),
  events_per_day: field(v.number(), 'Accepted events a day, on average over the last seven days.', 4.3),
  refused: field(
    v.array(
      v.strictObject({
        reason: field(v.picklist(refusalReasons), 'Why.', 'signature_wrong'),
        count: field(v.pipe(v.number(), v.integer()), 'How many, approximately.', 2),
        last_at: field(timeSchema, 'When the last one was refused.'),
      }),
    ),
    'Refused requests of the last seven days. Bodies that the gateway refuses are not among them: its own log has ' +
      'them.',
  ),
  silent_since: field(
    v.nullable(timeSchema),
    'Since when no event has arrived, if this is unusual for the site: for twice its longest pause of the last 28 ' +
      'days, and for at least a day (three days in its first week). Null otherwise.',
  ),
  compared_at: field(
    v.nullable(timeSchema),
    'When `ops import-ghost` last compared the webhooks at Ghost with those here; null if it never has. ' +
      'Masthead itself has no key of the site.',
  ),
  unmoved: writable(
    field(
      v.array(
        v.strictObject({
          event: field(v.string(), 'Their event.', 'post.published'),
          count: field(v.pipe(v.number(), v.integer()), 'How many.', 1),
        }),
      ),
      'Webhooks that Ghost still delivered itself at `compared_at`, though they could move: those that were added ' +
        'since, for example.',
    ),
  ),
});

export type RelayResource = Resource<typeof relayResource>;

export type Compared = Pick<RelayResource, WritableName<typeof relayResource>>;
