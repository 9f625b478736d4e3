/** The resources of previews and of trials: their fields, order and documentation. */
import * as v from 'valibot';
import { field, type Resource, resource, timeSchema } from '../../foundation/resource.ts';

export const previewResource = resource('Preview', {
  method: field(v.literal('POST'), 'Always `POST`.', 'POST'),
  url: field(
    v.string(),
    'Where it would be sent: the target without its fragment.',
    'https://hooks.bookshop.example/masthead',
  ),
  headers: field(
    v.record(v.string(), v.string()),
    'Its headers, without the values of secrets. A webhook with a `secret` also has signatures.',
  ),
  body: field(v.string(), 'The exact body; empty for a format without one.'),
  matched: field(v.boolean(), 'Whether the filter lets the event through.', true),
});

const triedEvent = v.strictObject({
  event_id: field(v.string(), 'The id of the event.', 'post-6748-published'),
  event: field(v.string(), 'The name of the event.', 'post.published'),
  created_at: field(timeSchema, 'When the event was accepted.', '2026-11-21T09:30:00.000Z'),
  title: field(v.string(), 'What has happened, in a sentence.', 'Post published: What to sow in winter'),
  matched: field(v.boolean(), 'Whether the filter lets it through.', true),
  left_out: field(v.boolean(), 'Whether the present filter of the webhook has left it out.', false),
});

export const trialResource = resource('Trial', {
  matched: field(v.pipe(v.number(), v.integer()), 'How many of these events the filter lets through.', 1),
  events: field(
    v.array(triedEvent),
    'The newest 20 events of the webhook, newest first: those delivered, and those that its filter has left out.',
  ),
});

export type TriedEvent = Resource<typeof triedEvent>;
