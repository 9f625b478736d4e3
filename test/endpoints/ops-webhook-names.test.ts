/** `npm run ops -- …`: the name of a webhook stands beside its id, and is accepted in place of it. */
import { afterEach, expect, it } from 'vitest';
import { opsOn } from '../support/ops.ts';
import { freshStack } from '../support/parts.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { as, answerWith } = opsOn(stack);
const ops = (...args: string[]) => as(keys.owner)(args);
afterEach(() => answerWith());

const create = (webhook: object) => webhookCalls(stack).existing(keys.integration, webhook);
const posts = await create({ name: 'New posts', event: 'post.published' });
const nameless = await create({ event: 'post.deleted', target_url: 'https://hooks.bookshop.example/masthead' });
const long = await create({ event: 'tag.added', name: 'A name that is much longer than a table is wide' });
const twins = [
  await create({ name: 'Twin', event: 'page.published' }),
  await create({ name: 'Twin', event: 'page.deleted' }),
];

const deliveryOf = (webhook_id: string) => ({
  id: '019acb63f5e8a1b2c3d4e5f6',
  webhook_id,
  event: 'post.published',
  event_id: 'first',
  status: 'delivered',
  trigger: 'event',
  attempts: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  last_attempt_at: '2026-11-21T09:30:00.040Z',
  next_attempt_at: null,
  last_status: '200',
  last_error: null,
  waiting_for: null,
  replayed_by: null,
  superseded_by: null,
});
const gone = '0'.repeat(24);

/** Answers requests for deliveries with one of each webhook, and returns the paths that were requested. */
const withDeliveries = (): string[] => {
  const paths: string[] = [];
  answerWith((_method, path) => {
    paths.push(path);
    if (!path.startsWith('/admin/deliveries/')) return undefined;
    const deliveries = [posts.id, nameless.id, long.id, gone].map(deliveryOf);
    return Response.json({ deliveries, meta: { pagination: { limit: 100, next: null } } });
  });
  return paths;
};

it("a list of deliveries shows each webhook's name or target beside its id, unless it was deleted", async () => {
  withDeliveries();
  const { output } = await ops('deliveries', 'list');
  const shown = output.match(/[0-9a-f]{24}( \([^)]*\))?(?= +delivered)/g);
  expect(shown).toEqual([
    `${posts.id} (New posts)`,
    `${nameless.id} (hooks.bookshop.example/masthead)`,
    `${long.id} (A name that is much longer than a table…)`,
    gone,
  ]);
});

it('with --json or the key of an integration, a list of deliveries shows no names', async () => {
  const paths = withDeliveries();
  expect((await ops('deliveries', 'list', '--json')).output).not.toContain('New posts');
  expect(paths).toHaveLength(1);
  expect(await as(keys.integration)(['deliveries', 'list'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(new RegExp(`post\\.published +${posts.id} +delivered`)),
  });
});

it.each([
  [['deliveries', 'list', '--webhook', 'New posts']],
  [['deliveries', 'redeliver', '--failed', '--since', '1h', '--webhook', 'New posts']],
  [['replay', 'New posts', '--since', '1h', '--no-wait']],
  [['webhooks', 'update', 'New posts', '--api-version', 'v5']],
  [['webhooks', 'options', 'New posts']],
  [['webhooks', 'ping', 'New posts']],
  [['webhooks', 'disable', 'New posts']],
  [['webhooks', 'enable', 'New posts']],
  [['webhooks', 'rotate-secret', 'New posts']],
])('the name of a webhook is accepted in %j', async (args) => {
  const paths: string[] = [];
  answerWith((_method, path) => {
    paths.push(path);
    return undefined;
  });
  expect(await ops(...args)).toMatchObject({ code: 0 });
  expect(paths.at(-1)).toContain(posts.id);
});

it('the shown target of a nameless webhook is accepted too, and a deletion asks with name and id', async () => {
  const target = 'hooks.bookshop.example/masthead';
  expect(await ops('webhooks', 'delete', target)).toMatchObject({
    code: 2,
    errors: expect.stringContaining(`Delete the webhook ${nameless.id} (${target})? Add --yes`),
  });
});

it('a name that several webhooks have is refused, and the error lists their ids', async () => {
  const { code, errors } = await ops('webhooks', 'ping', 'Twin');
  expect(code).toBe(2);
  expect(errors).toContain("2 webhooks have the name 'Twin'. Use the id of one: ");
  for (const { id, event } of twins) expect(errors).toContain(`${id} (Twin, ${event})`);
  expect(errors).not.toContain(posts.id);
});

it('a name that no webhook has is refused, and the error lists the webhooks that exist', async () => {
  const { code, errors } = await ops('deliveries', 'list', '--webhook', 'Old posts');
  expect(code).toBe(2);
  expect(errors).toContain("No webhook has the id or the name 'Old posts'. The webhooks are ");
  expect(errors).toContain(`${posts.id} (New posts, post.published)`);
});

it('an error lists at most ten webhooks, and names the command that lists all', async () => {
  for (let index = 0; index < 6; index++) await create({ name: `Further ${index}` });
  const { errors } = await ops('webhooks', 'ping', 'Old posts');
  expect(errors.match(/[0-9a-f]{24} \(/g)).toHaveLength(10);
  expect(errors).toContain(', and others, which npm run ops -- webhooks list shows. ');
});

it('webhooks are also found in an integration with more webhooks than a list shows', async () => {
  for (let index = 0; index < 100; index++) await create({ name: `One of many ${index}` });
  const paths: string[] = [];
  answerWith((_method, path) => {
    paths.push(path);
    return undefined;
  });
  expect(await ops('webhooks', 'options', 'New posts')).toMatchObject({ code: 0 });
  expect(paths).toContainEqual(expect.stringMatching(/^\/admin\/integrations\/[0-9a-f]{24}\/\?/));
});
