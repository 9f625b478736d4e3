/** Everything that was answered with 2xx survives any end of the stack, and is delivered after the next start. */
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { type ListeningSocket, listeningSockets } from '../support/parts-sockets.ts';

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const running = async (folder: string): Promise<RunningStack> => {
  const stack = await runStack(folder);
  undo.push(() => stack.end('SIGKILL'));
  return stack;
};

test.each([
  ['SIGINT', 0],
  ['SIGKILL', null],
] as const)('nothing is lost and no process is left running after %s', async (signal, expectedCode) => {
  const home = temporaryHome();
  undo.push(home.remove);
  // Given a receiver that does not answer the first requests, and a stack that delivers to it
  const held: ServerResponse[] = [];
  let answering = false;
  const receiver = await receiveWebhooks((response) => {
    if (answering) response.end('ok');
    else held.push(response);
  });
  undo.push(receiver.close);
  const first = await running(home.folder);
  const webhook = { event: 'post.published', target_url: `${receiver.origin}/hook` };
  const key = first.stack.integrationKey;
  const created = await first.call('POST', '/admin/webhooks/', { key, body: { webhooks: [webhook] } });
  expect(created.status).toBe(201);
  const titles = Array.from({ length: 20 }, (_, index) => `Post ${index}`);
  await Promise.all(
    titles.map(async (title) => {
      const events = [{ event: 'post.published', payload: { post: { current: { title }, previous: {} } } }];
      expect((await first.call('POST', '/admin/events/', { key, body: { events } })).status).toBe(202);
    }),
  );
  await receiver.received('/hook', 1);

  // When the stack ends meanwhile
  const sockets = listeningSockets(first.pid);
  expect(sockets.length).toBeGreaterThan(4);
  expect(await first.end(signal)).toMatchObject({ code: expectedCode });
  // Ctrl-C releases the home and does not wait for the receiver (`npm --prefix lab run bench` measures the time).
  for (const file of ['pid', 'stack.json']) expect(existsSync(join(home.folder, file))).toBe(signal === 'SIGKILL');
  expect(held.every((response) => !response.writableEnded)).toBe(true);
  for (const socket of sockets)
    await eventually(`the end of port ${socket.port}`, async () => ((await isOpen(socket)) ? undefined : true));
  for (const response of held) response.destroy();
  answering = true;

  // Then the next start has the keys and the webhook, and delivers every event
  const second = await running(home.folder);
  expect(second.stack.integrationKey).toBe(key);
  const again = await second.call('POST', '/admin/webhooks/', { key, body: { webhooks: [webhook] } });
  expect(again.status).toBe(422);
  const delivered = () => receiver.deliveries.map(({ body }) => JSON.parse(body).post.current.title);
  await eventually('every event at the receiver', async () => (new Set(delivered()).size === 20 ? true : undefined));
  expect(new Set(delivered())).toEqual(new Set(titles));
});

const isOpen = ({ address, port }: ListeningSocket): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
