/** The sentences of errors that a first user meets: each names its field once, and what to send instead. */
import { expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { create, existing } = webhookCalls(stack);

const refusalOf = (answer: TestResponse) => expectRefusal(answer, { status: 422, type: 'ValidationError' });

const update = (user: object) =>
  stack.call('users/update', { path: '/admin/users/me/', key: keys.owner, body: { users: [user] } });
const withFormat = (format: unknown) =>
  create({ event: 'post.published', target_url: newUrl(), options: { format } }, keys.integration);

it('a role that is not an id: the error says where ids come from', async () => {
  for (const roles of [['Editor'], [{ id: 'Editor' }]])
    expect(refusalOf(await update({ roles })).message).toMatch(
      /^`roles\.0(?:\.id)?` must be the id of a role, as GET \/admin\/roles\/ returns it, or an object with this `id`;/,
    );
});

it("a person's name with a missing space: the error is one sentence", async () => {
  expect(refusalOf(await update({ name: 'Ada.Miller.com' })).message).toBe(
    '`name` must not have a host name or an IP address, so write a space after a full stop; ' +
      'it is a string of 14 characters.',
  );
});

it('an unknown type of format: the error lists the types', async () => {
  const types = 'ghost, slack, discord, teams, github, deploy-hook, meilisearch, algolia, template';
  expect(refusalOf(await withFormat({ type: 'slak' })).message).toBe(
    `\`options.format.type\` must be one of ${types}; it is a string of 4 characters.`,
  );
  expect(refusalOf(await withFormat('slack')).message).toBe(
    `\`options.format\` must be an object with a \`type\` of ${types}; it is a string of 5 characters.`,
  );
});

it('a broken placeholder: the error names the template once', async () => {
  const template = { text: '{{post.current.title ?? none}}' };
  expect(refusalOf(await withFormat({ type: 'template', template })).message).toMatch(
    /^`options\.format\.template` has `\{\{post\.current\.title \?\? none\}\}`, which is no placeholder; write /,
  );
});

it('an event that Masthead publishes itself: the error suggests no other event', async () => {
  const answer = await stack.call('events/publish', {
    path: '/admin/events/',
    key: keys.owner,
    body: { events: [{ event: 'staff.added', payload: {} }] },
  });
  expect(refusalOf(answer).message).toBe(
    '`event` "staff.added" cannot be published, because Masthead publishes it itself.',
  );
});

it('an event that no webhook has had: the error names a request that the endpoint accepts', async () => {
  const { id } = await existing(keys.integration, { event: 'post.published' });
  const ping = await stack.call('webhooks/ping', {
    path: `/admin/webhooks/${id}/ping/`,
    key: keys.integration,
    body: { pings: [{ event_id: 'unknown' }] },
  });
  const preview = await stack.call('webhooks/preview', {
    path: '/admin/webhooks/preview/',
    key: keys.integration,
    body: { previews: [{ event: 'post.published', target_url: newUrl(), event_id: 'unknown' }] },
  });
  expect(ping.body.errors[0].help).toContain('{"example": true}');
  expect(preview.body.errors[0].help).toContain('Omit `event_id`');
});
