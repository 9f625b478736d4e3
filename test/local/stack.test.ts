/** The whole stack, as `npm start` starts it, over HTTP. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkSignatures } from '../../infra/local/demo/signatures.ts';
import { eventually } from '../support/eventual.ts';
import { receiveWebhooks, type WebhookReceiver } from '../support/parts-receiver.ts';
import { type RunningStack, runStack, runToEnd, temporaryHome } from '../support/parts-running-stack.ts';
import { runScript } from '../support/run-script.ts';

const home = temporaryHome();
let running: RunningStack;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await receiveWebhooks();
  running = await runStack(home.folder, ['--memory']);
});

afterAll(async () => {
  await running.end('SIGTERM');
  receiver.close();
  home.remove();
});

const post = (path: string, key: string, body: object) => running.call('POST', path, { key, body });

const publishPost = (title: string) =>
  post('/admin/events/', running.stack.integrationKey, {
    events: [{ event: 'post.published', payload: { post: { current: { title }, previous: {} } } }],
  });

describe('a running stack', () => {
  test('a published event arrives at the webhook with both signatures', async () => {
    const secret = `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`;
    const webhook = { event: 'post.published', target_url: `${receiver.origin}/signed`, secret };
    const created = await post('/admin/webhooks/', running.stack.integrationKey, { webhooks: [webhook] });
    expect(created.status).toBe(201);

    const published = await publishPost('Signed');
    expect(published.status).toBe(202);

    const [delivery] = await receiver.received('/signed', 1);
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ post: { current: { title: 'Signed' }, previous: {} } });
    expect(checkSignatures(delivery ?? { headers: {}, body: '' }, secret)).toEqual([
      { name: 'X-Ghost-Signature', valid: true },
      { name: 'webhook-signature', valid: true },
    ]);
    // An independent verifier accepts it.
    expect(() => new Webhook(secret).verify(delivery?.body ?? '', { ...delivery?.headers })).not.toThrow();
  });

  test('a dead letter that is moved back arrives at the webhook', async () => {
    const webhook = { event: 'tag.added', target_url: `${receiver.origin}/redriven` };
    await post('/admin/webhooks/', running.stack.integrationKey, { webhooks: [webhook] });
    const event = {
      kind: 'event',
      id: 'was-dead',
      publisher: 'test',
      event: 'tag.added',
      accepted_at: new Date().toISOString(),
      payload: { tag: { current: { name: 'News' }, previous: {} } },
    };
    const { endpoint, region, ...credentials } = running.stack.aws;
    const sqs = new SQSClient({ endpoint, region, credentials });
    const QueueUrl = running.stack.queues['events-dead'];
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(event) }));

    const redrive = () =>
      runScript('infra/ops/ops.ts', ['redrive', '--stage', 'local', 'events'], { MASTHEAD_HOME: home.folder });
    expect(await redrive()).toEqual({ code: 0, output: 'events: 1 message moved\n' });
    const [delivery] = await receiver.received('/redriven', 1);
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ tag: { current: { name: 'News' } } });
    expect(await redrive()).toEqual({ code: 0, output: 'events: no dead letters\n' });
  });

  test('fifty clients that create the same webhook at the same time get 201 once and 422 49 times', async () => {
    const webhook = { event: 'page.published', target_url: `${receiver.origin}/same` };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('/admin/webhooks/', running.stack.integrationKey, { webhooks: [webhook] })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 422)]);
  });

  test('a hanging receiver does not delay other deliveries of its batch', async () => {
    const hanging = await receiveWebhooks(() => {});
    for (const target_url of [`${hanging.origin}/hangs`, `${receiver.origin}/quick`])
      await post('/admin/webhooks/', running.stack.integrationKey, { webhooks: [{ event: 'tag.added', target_url }] });
    const payload = { tag: { current: { name: 'News' }, previous: {} } };
    await post('/admin/events/', running.stack.integrationKey, { events: [{ event: 'tag.added', payload }] });

    await hanging.received('/hangs', 1);
    await receiver.received('/quick', 1);
    hanging.close();
  });
});

describe('npm start', () => {
  test('prints the URL of the documentation page, whose script is served compressed', async () => {
    const address = /API docs +(\S+)/.exec(running.output())?.[1] ?? '';
    const page = await (await fetch(address)).text();
    expect(page).toContain('<title>Masthead API</title>');
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(page) ?? [];
    const answer = await fetch(new URL(script, address));
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect((await answer.text()).length).toBeGreaterThan(1024 * 1024);
  });

  test('shows a delivered request and a mail in its demo, even in a second run', () => {
    for (let run = 0; run < 2; run++) {
      const demo = spawnSync(process.execPath, [join(import.meta.dirname, '../../infra/local/demo/demo.ts')], {
        encoding: 'utf8',
        env: { ...process.env, MASTHEAD_HOME: home.folder },
      });
      expect(demo.status, demo.stderr).toBe(0);
      expect(demo.stdout).toMatch(/✓ X-Ghost-Signature\n\s+✓ webhook-signature/);
      expect(demo.stdout).toMatch(/Link: http\S+\/ghost\/api\/invitation\/\S+\/\n/);
    }
  });

  test("prints a line for each request, delivery and mail of the demo, without the invitation's token", async () => {
    const page = await eventually('the lines of the demo', async () => {
      const lines = running.output().split('\n');
      const isComplete = [/delivery .* delivered/, /mail .* sent/].every((shape) =>
        lines.some((line) => shape.test(line)),
      );
      return isComplete ? lines.join('\n') : undefined;
    });
    expect(page).toMatch(/^\d\d:\d\d:\d\d {2}request {3}POST \/ghost\/api\/admin\/events\/ 202 \d+ ms$/m);
    expect(page).toMatch(/^\S+ {2}delivery {2}[0-9a-f]{24} to webhook [0-9a-f]{24} delivered, attempt 1$/m);
    expect(page).toMatch(/^\S+ {2}mail {6}to \S+@\S+ sent: .+$/m);
    const link = `${running.stack.baseUrl}/invitation/${'ab'.repeat(12)}${'T0ken'.repeat(8)}/`;
    expect((await fetch(link)).status).toBe(404);
    const asked = await eventually(
      'the line of the page',
      async () => /request {3}GET \/ghost\/api\/invitation\/\S+ 404/.exec(running.output())?.[0],
    );
    expect(asked).not.toContain('T0ken');
  });

  test('prints the page of the demo receiver, which shows requests with valid signatures', async () => {
    const page = await fetch(running.stack.receiverPage);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toMatch(/post\.published<\/h2>.*✓ X-Ghost-Signature: valid.*✓ webhook-signature: valid/s);
  });

  test('writes all addresses and keys to stack.json', () => {
    const file = readFileSync(join(home.folder, 'stack.json'), 'utf8');
    expect(JSON.parse(file)).toEqual(running.stack);
    expect(running.stack.pid).toBe(running.pid);
  });
});

describe('a stack that cannot start reports the reason in one line', () => {
  test('if another stack uses the same home', async () => {
    const { code, output } = await runToEnd(home.folder, ['--memory']);
    expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
    expect(output).toContain(`A stack already runs in ${home.folder}`);
    // The running stack is not affected.
    expect((await running.call('GET', '/admin/roles/', { key: running.stack.adminKey })).status).toBe(200);
  });

  test('if a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const elsewhere = temporaryHome();
    const { code, output } = await runToEnd(elsewhere.folder, ['--memory'], { PORT: port });
    expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
    expect(output).toContain(`Port ${port} is in use`);
    other.close();
    elsewhere.remove();
  });

  test('if a fault plan cannot be read', async () => {
    const elsewhere = temporaryHome();
    const { code, output } = await runToEnd(elsewhere.folder, ['--faults', '/no/such/file.json']);
    expect([code, output.trim().split('\n').length]).toEqual([2, 1]);
    expect(output).toContain('The fault plan /no/such/file.json does not exist.');
    elsewhere.remove();
  });
});
