/** The record of a move: a Ghost site's webhooks as they were, and here. Any machine can continue or undo it. */
import * as v from 'valibot';
import { changesOf, maxChars, objectOf, requestItem, text } from '../../foundation/fields.ts';
import type { IntegrationId, WebhookId } from '../../foundation/ids.ts';
import { field, idSchema, type Resource, resource, timeSchema } from '../../foundation/resource.ts';

/** The longest id of a site: a UUID, or a 24-character id before Ghost 6. */
const siteId = v.pipe(text, v.regex(/^[0-9a-f-]{24,36}$/, 'must be the id of a Ghost site.'));
const ghostId = v.pipe(text, v.regex(/^[0-9a-f]{24}$/, 'must be an id of Ghost.'));
const url = v.pipe(text, maxChars(2000));
const words = v.nullable(v.pipe(text, maxChars(2000)));
const time = v.pipe(text, maxChars(40));
const flag = v.boolean('must be true or false.');

const integration = {
  id: field(ghostId, 'Its id at Ghost.', '6571b3f0c1a2e3d4f5061728'),
  name: field(v.pipe(text, maxChars(191)), 'Its name at Ghost.', 'Shop'),
  description: field(words, 'Its description at Ghost.'),
  copy_id: field(v.nullable(idSchema<IntegrationId>()), 'The integration here that holds its webhooks.'),
  restored_id: field(v.nullable(ghostId), 'The integration at Ghost that was created in its place.'),
};

const original = {
  id: field(ghostId, 'Its id at Ghost.', '6571b3f0c1a2e3d4f5061729'),
  integration_id: field(ghostId, 'Its integration at Ghost.', '6571b3f0c1a2e3d4f5061728'),
  event: field(v.pipe(text, maxChars(50)), 'Its event.', 'post.published'),
  target_url: field(url, 'Its target.', 'https://hooks.bookshop.example/posts'),
  name: field(words, 'Its name.'),
  api_version: field(words, 'Its version.', 'v6.65'),
  removed: field(flag, 'Whether it was removed at Ghost, or is just about to be.', true),
  copy_id: field(v.nullable(idSchema<WebhookId>()), 'The webhook here that stands for it.'),
};

const failure = {
  event: field(v.pipe(text, maxChars(50)), 'The event of the relay.', 'post.published'),
  at: field(time, 'When Ghost tried.', '2026-11-21T09:30:00.000Z'),
  error: field(v.pipe(text, maxChars(500)), 'What Ghost noted.', 'Request failed: ECONNRESET'),
};

const hint = (of: string) =>
  field(v.nullable(v.string()), `Four characters that change with ${of}; null without a secret.`, '9c1b');

const head = {
  from: field(url, 'The URL of the site.', 'https://blog.example'),
  to: field(url, 'The base URL of the stage that the relays send to.', 'https://api.example.com/ghost/api'),
  receiver_id: field(v.nullable(idSchema<IntegrationId>()), 'The integration here that receives the events.'),
  relay_id: field(v.nullable(ghostId), 'The integration at Ghost that holds the relays.'),
  relays: field(v.pipe(v.array(v.pipe(text, maxChars(50))), v.maxLength(100)), 'The events that are relayed.', [
    'post.published',
  ]),
  proven_at: field(v.nullable(time), 'When an event was last seen to arrive through the relays as they are now.'),
};

export const moveResource = resource('Move', {
  site: field(v.string(), 'The id of the site.', 'f0c2a9d4-6b1e-4c58-9d3a-7e5f1b2c4d68'),
  ...head,
  revision: field(v.pipe(v.number(), v.integer()), 'Counts the changes; a change names the one that it follows.', 4),
  inbound_hint: hint('the inbound secret'),
  integrations: field(v.array(resource('MovedIntegration', integration)), 'The integrations at Ghost.'),
  originals: field(
    v.array(
      resource('MovedWebhook', {
        ...original,
        secret_hint: hint('the secret that it had at Ghost'),
        copy_secret_hint: hint('the secret that its copy has now'),
      }),
    ),
    'The webhooks as Ghost had them.',
  ),
  failures: field(
    v.array(resource('RelayFailure', failure)),
    'What Ghost could not send to the relays since `proven_at`.',
  ),
  updated_at: field(timeSchema, 'When the record was last changed.'),
});
export type MoveResource = Resource<typeof moveResource>;

/** More webhooks than one step of a move changes. */
const maxChanged = 40;

const many = <Entries extends v.ObjectEntries>(entries: Entries, max = maxChanged) =>
  v.pipe(v.array(objectOf(entries), 'must be an array.'), v.maxLength(max, `must have at most ${max} entries.`));

/** A change of the record: fields, and those of the lists that it names are replaced, and the others stay. */
export const moveChanges = requestItem('MoveChanges', {
  revision: field(
    v.pipe(v.number('must be a number.'), v.integer('must be a whole number.'), v.minValue(0)),
    'The revision that was read; 0 for a new record.',
    0,
  ),
  ...changesOf({ entries: head }).entries,
  integrations: v.exactOptional(field(many(integration, 200), 'All integrations at Ghost whose webhooks were moved.')),
  originals: v.exactOptional(
    field(
      many({
        ...changesOf({ entries: original }).entries,
        id: original.id,
        secret: v.exactOptional(
          field(v.nullable(v.pipe(text, maxChars(191))), 'Its secret at Ghost. Only an undo reads it again.'),
        ),
      }),
      'Webhooks to add or to change, by their ids.',
    ),
  ),
  failures: v.exactOptional(field(many(failure, 100), 'All failures since `proven_at`.')),
  forgotten: v.exactOptional(
    field(v.pipe(v.array(ghostId), v.maxLength(maxChanged)), 'The ids of webhooks to delete from the record.'),
  ),
});
export type MoveChanges = v.InferOutput<typeof moveChanges>;

/** A secret of an original, which an undo restores. */
export const originalSecret = resource('OriginalSecret', {
  id: original.id,
  secret: field(v.string(), 'The secret that it had at Ghost.', 'a secret of the receiver'),
});

/** Whether a text can be the id of a site. */
export const isSiteId = (site: string): boolean => v.is(siteId, site);
