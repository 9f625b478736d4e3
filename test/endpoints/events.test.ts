/** `POST /admin/events/`: who can publish what, and what is queued before the 202 if there is no fan-out at once. */
import { describe, expect, it } from 'vitest';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack({ ownEvents: ['shop.order.paid'] });
const keys = await stack.seed();
const { publish } = deliveryTools(stack, keys);

const post = (body: unknown, key = keys.integration) =>
  throughTheQueue(stack, () => stack.call('events/publish', { path: '/admin/events/', key, body }));
const postEvents = (...events: unknown[]) => post({ events });
const payload = { post: { current: { title: 'Hello' }, previous: {} } };
const event = { event: 'post.published', payload };

const queued = async () => (await stack.take('events')).map(({ body }) => body);

describe('a publisher', () => {
  it('receives 202 with id, event and created_at once the event is queued', async () => {
    const answer = await postEvents(event);
    expect(answer.status).toBe(202);
    const [{ id, created_at }, ...others] = answer.body.events;
    expect(answer.body).toEqual({
      events: [{ id: expect.stringMatching(/^[0-9a-f]{24}$/), event: 'post.published', created_at }],
    });
    expect(others).toEqual([]);
    expect(await queued()).toEqual([
      {
        kind: 'event',
        id,
        publisher: expect.stringMatching(/^integration:[0-9a-f]{24}$/),
        event: 'post.published',
        accepted_at: created_at,
        payload,
        owner: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    ]);
  });

  it('can choose an id of up to 64 characters for the event', async () => {
    const id = `order ✓ ${'x'.repeat(56)}`;
    const answer = await postEvents({ ...event, id });
    expect(answer.body.events[0].id).toBe(id);
    expect((await queued())[0].id).toBe(id);
  });

  it('can send ten events in one request', async () => {
    const answer = await postEvents(...Array.from({ length: 10 }, () => event));
    expect(answer.status).toBe(202);
    const bodies = await queued();
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(10);
    expect(new Set(bodies.map(({ owner }) => owner)).size).toBe(10);
    expect(bodies.map(({ id }) => id).sort()).toEqual(answer.body.events.map(({ id }: { id: string }) => id).sort());
  });

  it('can omit current or previous, and unknown keys of the payload are ignored', async () => {
    const answer = await postEvents({ event: 'post.deleted', payload: { post: { previous: { id: '1' } }, more: 1 } });
    expect(answer.status).toBe(202);
    expect((await queued())[0].payload).toEqual({ post: { current: {}, previous: { id: '1' } } });
  });

  it('can send any text, including characters that SQS refuses', async () => {
    const title = `\u0000\u0001\ufffe\uffff ☃ 😀`;
    const answer = await postEvents({ event: 'post.added', payload: { post: { current: { title } } } });
    expect(answer.status).toBe(202);
    expect((await queued())[0].payload.post.current.title).toBe(title);
  });

  it('can send half of a surrogate pair in the payload, as in a text that was cut, but not in the id', async () => {
    const body = (id: string, title: string) =>
      `{"events":[{"id":"${id}","event":"post.added","payload":{"post":{"current":{"title":"${title}","n":1.0}}}}]}`;
    expect((await post(body('cut', 'Sow \\ud83c'))).status).toBe(202);
    expect(JSON.stringify(await queued())).toContain('Sow \\ud83c');
    expectRefusal(await post(body('\\ud83c', 'Sow')), { status: 422, type: 'ValidationError', property: 'id' });
  });

  it.each(['site.changed', 'page.tag.attached', 'shop.order.paid'])('can publish %s', async (name) => {
    expect((await publish(name)).status).toBe(202);
    await stack.take('events');
  });
});

describe('who can publish', () => {
  it.each(['Owner', 'Administrator'])('an %s can', async (role) => {
    const answer = await post({ events: [event] }, keys.staff[role]);
    expect(answer.status).toBe(202);
    expect((await queued())[0].publisher).toMatch(/^staff:[0-9a-f]{24}$/);
  });

  it.each(['Super Editor', 'Editor', 'Author', 'Contributor'])('a %s cannot', async (role) => {
    expectRefusal(await post({ events: [event] }, keys.staff[role]), { status: 403, type: 'NoPermissionError' });
  });

  it('an integration can if it has can_publish', async () => {
    const answer = await post({ events: [event] }, keys.otherIntegration);
    const error = expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
    expect(error.help).toContain('can_publish');
    expect(await queued()).toEqual([]);
  });
});

describe('a request is refused and queues nothing', () => {
  it.each([
    ['an unknown event, with similar names', { ...event, event: 'post.publish' }, 'event'],
    ['an event that Masthead publishes', { event: 'staff.added', payload: { staff: {} } }, 'event'],
    ['a ping, which has its own endpoint', { event: 'webhook.ping', payload: { webhook: {} } }, 'event'],
    ['no event', { payload }, 'event'],
    ['no payload', { event: 'post.published' }, 'payload'],
    ['a dot in the id', { ...event, id: 'a.b' }, 'id'],
    ['an empty id', { ...event, id: '' }, 'id'],
    ['an id of 65 characters', { ...event, id: 'x'.repeat(65) }, 'id'],
    ['an id that is a number', { ...event, id: 1 }, 'id'],
  ])('because of %s', async (_, item, property) => {
    expectRefusal(await postEvents(event, item), { status: 422, type: 'ValidationError', property });
    expect(await queued()).toEqual([]);
  });

  it.each([
    ['another key', { page: {} }],
    ['a resource that is not an object', { post: 'text' }],
    ['a part that is an array', { post: { current: [] } }],
    ['a part that is a string', { post: { previous: 'x' } }],
    ['a part that is null', { post: { current: null } }],
  ])('because of a payload with %s', async (_, wrong) => {
    const answer = await postEvents({ event: 'post.published', payload: wrong });
    const error = expectRefusal(answer, { status: 422, type: 'ValidationError' });
    expect(error.message).toContain('{"post": {"current": {…}, "previous": {…}}}');
    expect(await queued()).toEqual([]);
  });

  it('because of eleven events', async () => {
    const answer = await postEvents(...Array.from({ length: 11 }, () => event));
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'events' });
  });

  it.each([
    ['an item that is a number', '{"events":[1e400]}'],
    ['items that are a number', '{"events":1e400}'],
    ['a number', '1e400'],
  ])('because of %s beyond the range of doubles', async (_, body) => {
    const error = expectRefusal(await post(body), { status: 400, type: 'BadRequestError' });
    expect(error.message).toMatch(/ is a number\.$/);
  });

  it('because of a payload whose part is a number beyond the range of doubles', async () => {
    const answer = await post('{"events":[{"event":"post.published","payload":{"post":{"current":1e400}}}]}');
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'payload' });
    expect(await queued()).toEqual([]);
  });
});
