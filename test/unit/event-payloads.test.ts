/** The documented payloads: each event has a schema, and every version of its body is valid against that schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeliveryBody, EventName, NewEvent } from 'masthead/events';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../infra/openapi/event-types.ts';
import { eventExamples } from '../../shared/events/examples.ts';
import { bodyBuilder } from '../../shared/events/payload.ts';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';
import { differences, documentedBody, documentedEvents, violations } from '../support/documented-delivery.ts';

const names = [...ghostEvents, ...mastheadEvents, 'webhook.ping'];
const versions = ['v2', 'v3', 'v4', 'v5', 'v6'];

const built = (event: string, version: string): object => {
  const payload = JSON.stringify(eventExamples[event]?.payload);
  return JSON.parse(Buffer.from(bodyBuilder(event, payload)(version).bytes).toString());
};

describe('the OpenAPI document', () => {
  it('has every event as a webhook', () => {
    expect(documentedEvents).toEqual(names);
  });

  it.each(names)('shows %s exactly as a receiver gets it, without undocumented fields', (event) => {
    expect(documentedBody(event)).toEqual(built(event, 'v6'));
    expect(differences(event, documentedBody(event))).toEqual([]);
  });

  it.each(versions)('has schemas that match the bodies of %s', (version) => {
    expect(names.flatMap((event) => violations(event, { event, ...built(event, version) }))).toEqual([]);
  });

  it.each([
    ['another event', { event: 'post.edited' }],
    ['no resource', { post: undefined }],
    ['another resource', { post: undefined, page: { current: { id: '1' }, previous: {} } }],
    ['a resource without its id', { post: { current: { title: 'x' }, previous: {} } }],
    ['a field of another type', { post: { current: { id: 1 }, previous: {} } }],
    ['a part that is missing', { post: { current: { id: '1' } } }],
  ])('has schemas that refuse a body with %s', (_, wrong) => {
    const body = JSON.parse(JSON.stringify({ ...built('post.published', 'v6'), ...wrong }));
    expect(violations('post.published', body)).not.toEqual([]);
  });

  it('requires empty parts: `previous` for a new resource, `current` for a deleted one', () => {
    expect(
      violations('post.added', { event: 'post.added', post: { current: { id: '1' }, previous: { id: '1' } } }),
    ).toEqual(['post.added /post/previous must NOT have more than 0 properties']);
    expect(
      violations('tag.deleted', { event: 'tag.deleted', tag: { current: { id: '1' }, previous: { id: '1' } } }),
    ).toEqual(['tag.deleted /tag/current must NOT have more than 0 properties']);
  });

  it('allows unknown fields, because publishers may send more', () => {
    const body = { event: 'tag.added', tag: { current: { id: '1', mood: 'good' }, previous: {} }, more: 1 };
    expect(violations('tag.added', body)).toEqual([]);
    expect(differences('tag.added', body)).toHaveLength(2);
  });
});

describe('docs/events.d.ts', () => {
  it('is up to date; after a change, run `npm run openapi`', () => {
    expect(readFileSync(join(import.meta.dirname, '../../docs/events.d.ts'), 'utf8')).toBe(eventTypes());
  });

  it('has types that let a receiver tell the events apart', () => {
    // `npm run check` compiles this; it fails if an expected error is missing.
    const titleOf = (body: DeliveryBody): string | null | undefined => {
      switch (body.event) {
        case 'post.published':
        case 'page.published':
          return 'post' in body ? body.post.current.title : body.page.current.title;
        case 'post.deleted':
          // @ts-expect-error: a deleted resource has no current state
          body.post.current.title satisfies string;
          return body.post.previous.title;
        case 'member.edited':
          // @ts-expect-error: a member has no title
          body.member.current.title satisfies string;
          return body.member.previous.name;
        case 'site.changed':
          // @ts-expect-error: the event has no resource
          return body.post.current.title;
        case 'webhook.disabled':
          return body.webhook.current.reason satisfies 'failing' | 'receiver' | 'request' | null;
        default:
          return undefined;
      }
    };
    const bodies = names.map((event) => documentedBody(event) as DeliveryBody);
    expect(bodies.map(({ event }) => event satisfies EventName)).toEqual(names);
    const titles = bodies.filter(({ event }) => event !== 'site.changed').map((body) => [body.event, titleOf(body)]);
    expect(Object.fromEntries(titles)).toMatchObject({
      'post.published': 'What to sow in winter',
      'post.deleted': 'What to sow in winter',
      'page.published': 'Sowing calendar',
      'member.edited': null,
      'webhook.disabled': 'failing',
    });
  });

  it('has types that allow a publisher only public events with their own resource', () => {
    const events: NewEvent[] = [
      {
        event: 'post.published',
        payload: { post: { current: { id: '1', title: 'x' }, previous: { status: 'draft' } } },
      },
      { id: 'site-1', event: 'site.changed', payload: {} },
      // @ts-expect-error: only Masthead publishes this event
      { event: 'staff.added', payload: {} },
      // @ts-expect-error: the resource of another event
      { event: 'tag.added', payload: { post: { current: { id: '1' }, previous: {} } } },
      // @ts-expect-error: a new resource has no previous fields
      { event: 'tag.added', payload: { tag: { current: { id: '1' }, previous: { id: '1' } } } },
    ];
    expect(events).toHaveLength(5);
  });
});
