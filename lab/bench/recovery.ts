/**
 * `npm --prefix lab run bench:recovery`: measures how soon everything is delivered after an interruption, counted at the receiver. `receiver`: it is
 * down while events wait for it, on a local stack in memory or with files. `kill`: the stack is killed during a fan-out to 300 and started again.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Argument } from '@commander-js/extra-typings';
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { startBareLoop } from './bare-loop.ts';
import { now } from './clock.ts';
import { makeFigures } from './figures.ts';
import { publish, publishMany, publishSteadily, subscribe } from './stack/load.ts';

const event = 'tag.added';
/** Up to this number, events are published at a steady rate; more are published as fast as they are accepted. */
const few = 1000;
const downMs = 20_000;
/** The goal for up to `few` events, published at four a second while the receiver is down. */
const lastWithinMs = 15_000;
/** A receiver that has seen no delivery for this long counts as finished: longer than a circuit breaker waits before a probe. */
const patienceMs = 1_000_000;

/** Starts a receiver whose ledger records the times of all requests by delivery. */
const startReceiver = async (answerMs: number) => {
  const times = new Map<string, number[]>();
  let port = 0;
  let server: Server | undefined;
  const up = () =>
    new Promise<void>((resolve) => {
      const listening = createServer((request, response) => {
        const id = String(request.headers['webhook-id']);
        request.resume().on('end', () => {
          times.set(id, [...(times.get(id) ?? []), now()]);
          if (answerMs === 0) response.end();
          else setTimeout(() => response.end(), answerMs);
        });
      });
      server = listening;
      listening.listen(port, '127.0.0.1', () => {
        port = (listening.address() as AddressInfo).port;
        resolve();
      });
    });
  const down = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve());
      server?.closeAllConnections();
    });
  await up();
  return { times, origin: `http://127.0.0.1:${port}`, up, down };
};

interface Options {
  readonly events: number;
  readonly files: boolean;
  readonly answerMs: number;
}

const figures = makeFigures();

/** Waits until a ledger has `count` deliveries, and a little longer, in which repeated deliveries would arrive. */
const untilAll = async (times: ReadonlyMap<string, unknown>, count: number): Promise<void> => {
  for (let seen = -1, idleMs = 0; times.size < count && idleMs < patienceMs; idleMs += 50) {
    if (times.size > seen) [seen, idleMs] = [times.size, 0];
    await wait(50);
  }
  await wait(2000);
};

const firstOf = (all: readonly (readonly number[])[]): number[] => all.map(([at = Number.NaN]) => at);
const repeatedOf = (all: readonly (readonly number[])[]): number => all.filter(({ length }) => length > 1).length;

const bareRequests = 20_000;
const bareAtATime = 20;

/** Returns how many requests a second a bare loop posts to a receiver that answers at once: what such a receiver can take on this machine. */
const capacityOfReceiver = async (): Promise<number> => {
  const { post, close } = await startBareLoop(bareAtATime);
  const began = now();
  let next = 0;
  const lane = async () => {
    while (next < bareRequests) await post(next++);
  };
  await Promise.all(Array.from({ length: bareAtATime }, lane));
  const seconds = (now() - began) / 1000;
  await close();
  return bareRequests / seconds;
};

const measureReceiver = async ({ events: count, files, answerMs }: Options): Promise<void> => {
  const home = temporaryHome();
  const running = await runStack(home.folder, ['--quiet', ...(files ? [] : ['--memory'])]);
  try {
    const receiver = await startReceiver(answerMs);
    await subscribe(running, receiver.origin, event, 1);
    await receiver.down();
    const since = now();
    if (count <= few) await publishSteadily(running, event, { count, perSecond: (count * 1000) / downMs });
    else await publishMany(running, event, count);
    await wait(Math.max(0, since + downMs - now()));
    await receiver.up();
    const back = now();
    await untilAll(receiver.times, count);
    const all = [...receiver.times.values()];
    const [first, last] = [Math.min(...all.flat()), Math.max(...firstOf(all))];
    const where = `${count} deliveries, ${files ? 'with files' : 'in memory'}`;
    figures.note(`${where}: down for`, (back - since) / 1000, 's');
    figures.note(`${where}: from the return to the first success`, (first - back) / 1000, 's');
    const lastAfter = `${where}: from the first success to the last delivery`;
    if (count <= few) figures.atMost(lastAfter, (last - first) / 1000, 's', lastWithinMs / 1000);
    else figures.note(lastAfter, (last - first) / 1000, 's');
    figures.note(`${where}: deliveries a second in that time`, (count * 1000) / (last - first), '');
    figures.atMost(`${where}: lost`, count - all.length, '', 0);
    figures.atMost(`${where}: repeated`, repeatedOf(all), '', 0);
    await receiver.down();
  } finally {
    await running.end('SIGINT');
    home.remove();
  }
  if (answerMs === 0)
    figures.note('requests a second of a bare loop to such a receiver', await capacityOfReceiver(), '');
};

const subscribers = 300;
/** When the stack is killed, in ms after the publisher's answer: before, during and after most of the fan-out. */
const killedAfterMs = [0, 10, 20, 40, 80, 160];

const measureKill = async ({ answerMs }: Options): Promise<void> => {
  const home = temporaryHome();
  const receiver = await startReceiver(answerMs);
  let running = await runStack(home.folder, ['--quiet']);
  try {
    await subscribe(running, receiver.origin, event, subscribers);
    for (const ms of killedAfterMs) {
      receiver.times.clear();
      await publish(running, event);
      await wait(ms);
      await running.end('SIGKILL');
      const killed = now();
      const before = receiver.times.size;
      running = await runStack(home.folder, ['--quiet']);
      await untilAll(receiver.times, subscribers);
      const all = [...receiver.times.values()];
      const last = Math.max(...firstOf(all));
      const where = `kill -9 after ${ms} ms and ${before} of ${subscribers} deliveries`;
      figures.note(`${where}: start of the stack`, running.readyMs / 1000, 's');
      figures.note(`${where}: from the kill to the last delivery`, (last - killed) / 1000, 's');
      figures.atMost(`${where}: lost`, subscribers - all.length, '', 0);
      figures.note(`${where}: repeated`, repeatedOf(all), '');
    }
  } finally {
    await running.end('SIGINT');
    await receiver.down();
    home.remove();
  }
};

const parts = ['receiver', 'kill'] as const;

await run(
  command('npm --prefix lab run bench:recovery --')
    .description('Measures how soon everything is delivered after an interruption, counted at the receiver.')
    .addArgument(new Argument('[part...]', 'What to measure (default: both).').choices(parts))
    .option('--events <count>', 'How many events wait for the receiver.', wholeNumber('--events'), 80)
    .option('--files', 'Keep the table and the queues in files, as `npm start` does.', false)
    .option('--answer-ms <ms>', 'Milliseconds until the receiver answers.', wholeNumber('--answer-ms', 0), 0)
    .action(async (named, options) => {
      if (named.length === 0 || named.includes('receiver')) await measureReceiver(options);
      if (named.length === 0 || named.includes('kill')) await measureKill(options);
      figures.print();
    }),
);
