/** What an endpoint does not declare is refused where it would select from a list, and named elsewhere. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../infra/openapi/operations.ts';
import { endpointLines } from '../../shared/contract.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();

const lists = endpointLines().filter(({ function: name }) => /\/list/.test(name));

/** What the path of a list names. */
const webhook = (
  await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: keys.integration,
    body: { webhooks: [{ event: 'post.added', target_url: 'http://127.0.0.1:9/hook' }] },
  })
).body.webhooks[0].id;
const idIn = (path: string) => (path.includes('users') ? 'me' : webhook);
const get = (line: (typeof lists)[number], query: string) =>
  stack.call(line.function, { path: `${line.path.replace('{id}', idIn(line.path))}?${query}`, key: keys.owner });

describe.each(lists.map((line) => [line.function, line] as const))('the list %s', (name, line) => {
  const declared = Object.keys(operations.get(name)?.query ?? {});

  it.each(['filter', 'order', 'page', 'search', 'cursor', 'since', 'status'].filter((one) => !declared.includes(one)))(
    'refuses the parameter %s, which it does not have, and says which it has',
    async (parameter) => {
      const error = expectRefusal(await get(line, `${parameter}=1`), {
        status: 422,
        type: 'ValidationError',
        property: parameter,
      });
      for (const other of declared) expect(error.help).toContain(other);
    },
  );

  it('names another parameter that it does not have, and answers', async () => {
    const answer = await get(line, 'fields=id');
    expect(answer).toMatchObject({ status: 200, headers: { 'masthead-ignored': 'fields' } });
  });

  it('names nothing if the request has only its own parameters', async () => {
    expect((await get(line, '')).headers).not.toHaveProperty('masthead-ignored');
  });
});

describe('a body', () => {
  const create = (item: object) =>
    stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations: [item] },
    });

  it('has the names of unknown fields in the response', async () => {
    const answer = await create({ name: 'Shop', colour: 'red', type: 'custom' });
    expect(answer).toMatchObject({ status: 201, headers: { 'masthead-ignored': 'colour' } });
  });

  it('names an unknown field inside a field by its path', async () => {
    const { headers } = await stack.call('webhooks/create', {
      path: '/admin/webhooks/',
      key: keys.integration,
      body: {
        webhooks: [
          {
            event: 'post.added',
            target_url: 'https://example.com/misspelt',
            options: { filters: {}, throttle: { requests: 1, per: 'second', burst: 2 }, headers: { 'x-own': 'a' } },
          },
        ],
      },
    });
    expect(headers).toMatchObject({ 'masthead-ignored': 'options.filters, options.throttle.burst' });
  });

  it('may have the fields that a client reads and cannot set', async () => {
    const { body } = await create({ name: 'Shop' });
    expect((await create(body.integrations[0])).headers).not.toHaveProperty('masthead-ignored');
  });
});

it('an endpoint that returns one thing names a parameter that would select from a list', async () => {
  const answer = await stack.call('users/read', { path: '/admin/users/me/?filter=x', key: keys.owner });
  expect(answer).toMatchObject({ status: 200, headers: { 'masthead-ignored': 'filter' } });
});
