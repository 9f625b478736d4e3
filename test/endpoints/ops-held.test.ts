/** `npm run ops -- stats`: held deliveries of an enabled webhook need attention until a replay has sent them. */
import { afterAll, afterEach, expect, it } from 'vitest';
import { opsOn } from '../support/ops.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
let status = 200;
const receiver = await receiveWebhooks((response) => response.writeHead(status).end('channel_is_archived'));
afterAll(() => receiver.close());
const { as, answerWith, file } = opsOn(stack);
const ops = (...args: string[]) => as(keys.owner)(args);
afterEach(() => answerWith());

const { id } = await webhookCalls(stack).existing(keys.integration, {
  name: 'New posts',
  event: 'post.published',
  target_url: `${receiver.origin}/hook`,
});

const publish = async (...ids: string[]) => {
  const payload = { post: { current: {}, previous: {} } };
  const lines = ids.map((one) => `${JSON.stringify({ id: one, event: 'post.published', payload })}\n`);
  expect(await ops('publish', file('events.ndjson', lines.join('')))).toMatchObject({ code: 0 });
  await stack.drain('events');
  await stack.drain('deliveries');
};
const attention = async () => {
  const { output } = await ops('stats');
  return output
    .slice(output.search(/^(Nothing needs|Needs) attention/m))
    .replace('Needs attention:\n', '')
    .trimEnd();
};

it('held deliveries of an enabled webhook need attention, with the replay for them, until they are sent', async () => {
  await publish('delivered');
  expect(await attention()).toBe('Nothing needs attention.');

  // While the webhook is disabled, enabling it comes first.
  await ops('webhooks', 'disable', id);
  await publish('first', 'second');
  expect(await attention()).toBe(
    `  webhook ${id} (New posts, post.published, Demo integration) is disabled. 2 deliveries wait: ` +
      `npm run ops -- webhooks enable ${id}`,
  );

  await ops('webhooks', 'enable', id);
  const line = await attention();
  expect(line).toMatch(
    new RegExp(
      `^  webhook ${id} \\(New posts, post\\.published, Demo integration\\) has held deliveries, which only a ` +
        `replay sends: npm run ops -- replay ${id} --status held --since \\d{4}-\\d\\d-\\d\\d$`,
    ),
  );

  // One of two was sent.
  const list = (await ops('deliveries', 'list', '--status', 'held', '--json')).output.trim().split('\n');
  const [, first] = list.map((one) => JSON.parse(one));
  const { output } = await ops('deliveries', 'show', first.id);
  expect(output).toMatch(/^waits for +a replay$/m);
  expect(output).toContain('It is held. Its webhook was disabled.');
  await ops('deliveries', 'redeliver', first.id);
  expect(await attention()).toBe(line);

  const [, command = ''] = line.trim().split('npm run ops -- ');
  expect(await ops(...command.split(' '), '--no-wait')).toMatchObject({ code: 0 });
  await stack.drain('replays');
  expect(await attention()).toBe('Nothing needs attention.');
});

it('if there are too many webhooks to list what is held, the command for one of them is named', async () => {
  answerWith((_method, path) =>
    path.startsWith('/admin/deliveries/')
      ? Response.json({ errors: [{ message: 'too many', context: null, help: null, id: 'x' }] }, { status: 422 })
      : undefined,
  );
  expect(await attention()).toContain(
    '2 deliveries were held. The stage has too many webhooks to list these deliveries at once: ' +
      'npm run ops -- deliveries list --status held --webhook <webhook>',
  );
});

it('what was held in the period is found, though its event may be a week older', async () => {
  const since: (string | null)[] = [];
  answerWith((_method, path) => {
    const { pathname, searchParams } = new URL(path, 'http://stage');
    if (pathname === '/admin/deliveries/') since.push(searchParams.get('since'));
    return undefined;
  });
  await attention();
  const [first] = since;
  expect(Date.now() - Date.parse(first ?? '')).toBeGreaterThan(7.9 * 24 * 60 * 60_000);
});

it('the deliveries are not listed if none was held in the period', async () => {
  const stats = JSON.parse((await ops('stats', '--json')).output);
  const paths: string[] = [];
  answerWith((_method, path) => {
    paths.push(path);
    return path.startsWith('/admin/stats/') ? Response.json({ stats: [{ ...stats, held: 0 }] }) : undefined;
  });
  expect(await attention()).toBe('Nothing needs attention.');
  expect(paths).not.toContainEqual(expect.stringContaining('/admin/deliveries/'));
});

it('a webhook that its receiver has declined shows the answer, what waits, and how to enable it', async () => {
  status = 410;
  await publish('declined', 'later');
  const day = new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  expect(await attention()).toBe(
    `  webhook ${id} (New posts, post.published, Demo integration) is disabled: its receiver answered "410 ` +
      `channel_is_archived", and it is deleted on ${day}. 2 deliveries wait: npm run ops -- webhooks enable ${id}`,
  );
});
