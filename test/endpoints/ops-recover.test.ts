/** `npm run ops -- stats` and `recover`: webhooks that fail together are one line; after a question, all is resent. */
import { afterAll, afterEach, expect, it } from 'vitest';
import { opsOn } from '../support/ops.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
let status = 410;
const receiver = await receiveWebhooks((response) => response.writeHead(status).end());
afterAll(() => receiver.close());
const { host } = new URL(receiver.origin);
const { as, answerWith, file } = opsOn(stack);
const ops = (...args: string[]) => as(keys.owner)(args);
afterEach(() => answerWith());

for (const name of ['One', 'Two', 'Three'])
  await webhookCalls(stack).existing(keys.integration, {
    name,
    event: 'post.published',
    target_url: `${receiver.origin}/${name}`,
  });
await ops(
  'publish',
  file(
    'event.ndjson',
    `${JSON.stringify({ event: 'post.published', payload: { post: { current: {}, previous: {} } } })}\n`,
  ),
);
await stack.drain('events');
await stack.drain('deliveries');

it('webhooks of one host that fail for the same reason are one line, with the cure and the commands', async () => {
  const { output } = await ops('stats');
  const line = output.split('\n').find((one) => one.includes(host)) ?? '';
  expect(line).toContain(`3 webhooks at ${host} are disabled: target gone, since 2`);
  expect(line).toContain('asked for no more deliveries');
  expect(line).toContain(`npm run ops -- recover --since 7d --host ${host}`);
  expect(output).not.toContain('(One,');
  expect((await ops('webhooks', 'list', '--host', host, '--json')).output.trim().split('\n')).toHaveLength(3);
  expect((await ops('webhooks', 'list', '--host', 'other.example', '--json')).output).toBe('');
});

it('recover counts first, and sends nothing without a yes', async () => {
  expect(await ops('recover', '--since', '1h', '--host', host, '--dry-run', '--json')).toMatchObject({ code: 0 });
  const { output } = await ops('recover', '--since', '1h', '--host', host, '--dry-run');
  expect(output).toMatch(/^deliveries +3\nsince .*\nuntil .*\n$/);
  expect(await ops('recover', '--since', '1h')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Send 3 deliveries again? Add --yes'),
  });
  expect(receiver.deliveries).toHaveLength(3);
  expect(await ops('recover', '--since', '1h', '--host', 'other.example')).toMatchObject({
    code: 2,
    errors: expect.stringContaining("No webhook has a target on 'other.example'"),
  });
});

it('recover sends what was missed again and waits until that is done, and then finds nothing more', async () => {
  status = 200;
  answerWith(async (method, path) => {
    if (method === 'GET' && path.includes('/recoveries/')) await stack.drain('replays');
    return undefined;
  });
  const { code, output } = await ops('recover', '--since', '1h', '--host', host, '--yes', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ state: 'finished', webhooks: 3, progress: { replayed: 3 } });
  const { output: second } = await ops('recover', '--since', '1h', '--yes');
  expect(second).toContain('Nothing to send.');
});
