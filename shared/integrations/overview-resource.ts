/** The resource of the overview of a stage. */
import * as v from 'valibot';
import { field, type Resource, resource } from '../foundation/resource.ts';
import { inviteResource } from '../invites/resource.ts';
import { deadLetters, statsResource } from '../stats/resource.ts';
import { integrationResource } from './integration.ts';
import { relayResource } from './relay/resource.ts';

const counted = (description: string) =>
  field(
    v.strictObject({
      count: field(v.pipe(v.number(), v.integer()), 'How many, at most 500.', 3),
      has_more: field(v.boolean(), 'Whether there are more.', false),
    }),
    description,
  );

const undelivered = v.strictObject({
  retrying: counted('Deliveries that wait for another attempt.'),
  held: counted('Deliveries that wait for a replay.'),
  failed: counted('Deliveries of the period that failed.'),
});

export const overviewResource = resource('Overview', {
  environment: field(v.string(), 'The name of the stage.', 'prod'),
  stats: field(statsResource, 'The statistics of the period.'),
  undelivered: field(v.nullable(undelivered), 'What did not reach its receivers; null if `integrations` is.'),
  integrations: field(
    v.nullable(v.array(integrationResource)),
    'All integrations with their webhooks; null if there are more than a page of `GET ' +
      '/admin/integrations/?include=webhooks`.',
  ),
  relays: field(v.array(relayResource), 'The connected Ghost sites.'),
  bounced: field(v.array(inviteResource), 'The newest invites whose mail bounced, at most 100.'),
  invited: field(
    v.boolean(),
    'Whether somebody has been invited, or whether more than one member has used the stage.',
    true,
  ),
  dead_letters: field(v.array(deadLetters), 'Queues with messages that an operator has to move back.'),
});

export type Overview = Resource<typeof overviewResource>;
