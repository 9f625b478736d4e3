/**
 * Measures long work: the sweep, fan-out, deletion and replay. The functions and the SDK are real; DynamoDB and SQS are in memory in another
 * process, with AWS's latency and an index that lags by a second.
 *
 * Counts calls, CPU time of this process, wall time and memory. A function of 512 MiB has 0.29 of a CPU, so it takes the wall time or its CPU time
 * divided by that share, whichever is longer.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FunctionName } from '../../shared/contract.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { cpusOf, memoryOf } from '../../test/support/function-memory.ts';
import { settingsText } from '../../test/support/settings-text.ts';
import type { Report, Request } from './aws-in-memory.ts';
import { type FanOutSize, writeFanOutPage } from './fan-out-page.ts';

const child = fork(join(import.meta.dirname, 'aws-in-memory.ts'), {
  execArgv: ['--disable-warning=ExperimentalWarning'],
});
const [{ port }] = (await once(child, 'message')) as [{ port: number }];
const url = `http://127.0.0.1:${port}`;
const queues = ['MAIL', 'EVENTS', 'DELIVERIES', 'SLOW_DELIVERIES', 'REPLAYS', 'DELETIONS'];
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: url,
  AWS_ENDPOINT_URL_SQS: url,
  TABLE_NAME: 'bench',
  LOG_LEVEL: 'SILENT',
  SETTINGS: settingsText({
    stage: 'bench',
    publication: { name: 'Bench', url: 'https://bench.example' },
    mail: { from: 'desk@bench.example' },
  }),
  ...Object.fromEntries(queues.map((name) => [`QUEUE_URL_${name}`, `${url}/000000000000/${name.toLowerCase()}`])),
});
const { dueAt } = await import('../../shared/due/due-index.ts');

const ask = async <T>(request: Request): Promise<T> => {
  child.send(request);
  return ((await once(child, 'message')) as [T])[0];
};
const write = async (items: readonly object[]): Promise<void> => {
  for (let start = 0; start < items.length; start += 10_000) await ask({ write: items.slice(start, start + 10_000) });
};

interface Measured extends Report {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly runs: number;
  /** The process's highest memory, and the live memory at the end. */
  readonly peakMb: number;
  readonly liveMb: number;
}

/** Measures `act`, which makes `runs` invocations. */
const measure = async (act: () => Promise<number>): Promise<Measured> => {
  await ask({ report: true });
  let peak = process.memoryUsage.rss();
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  const runs = await act();
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watch);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const report = await ask<Report>({ report: true });
  return {
    ...report,
    cpuMs: (user + system) / 1000,
    wallMs: performance.now() - began,
    runs,
    peakMb: peak / 2 ** 20,
    liveMb: (heapUsed + external) / 2 ** 20,
  };
};

/** Returns the seconds that a function takes with its share of a CPU. */
const secondsOf = ({ cpuMs, wallMs }: Measured, worker: FunctionName): number =>
  Math.max(wallMs, cpuMs / Math.min(1, cpusOf(memoryOf(worker)))) / 1000;
const callsOf = ({ calls }: Measured): number => Object.values(calls).reduce((sum, count) => sum + count, 0);

const show = (name: string, measured: Measured, each: number, worker: FunctionName) => {
  const { calls, messages, cpuMs, wallMs, runs, peakMb, liveMb } = measured;
  console.log(
    `${name}: ${runs} runs, ${messages} messages, ${(callsOf(measured) / each).toFixed(3)} calls and ${(cpuMs / each).toFixed(3)} ms of CPU each, ` +
      `${(wallMs / 1000).toFixed(1)} s here, ${secondsOf(measured, worker).toFixed(1)} s at ${memoryOf(worker)} MiB, peak ${peakMb.toFixed(0)} MiB, live ${liveMb.toFixed(0)} MiB ${JSON.stringify(calls)}`,
  );
};

const id = (number: number): string => number.toString(16).padStart(24, '0');
const context = (seconds: number) => {
  const end = Date.now() + seconds * 1000;
  return { awsRequestId: 'bench', getRemainingTimeInMillis: () => end - Date.now() };
};
const record = (queue: string, body: object) => ({
  Records: [
    {
      messageId: `m${Math.random()}`,
      attributes: { SentTimestamp: `${Date.now()}` },
      eventSourceARN: `arn:aws:sqs:eu-central-1:000000000000:masthead-bench-${queue}`,
      body: JSON.stringify(body),
    },
  ],
});
type Handler = (event: object, context: object) => Promise<{ batchItemFailures?: readonly unknown[] } | undefined>;
const handlerOf = async (name: string): Promise<Handler> => (await import(`../../functions/${name}.ts`)).handler;
const work = async (handler: Handler, event: object, seconds: number): Promise<void> => {
  const answer = await handler(event, context(seconds));
  if ((answer?.batchItemFailures?.length ?? 0) > 0) throw new Error('A message failed.');
};

const at = new Date().toISOString();
const deliveryRow = (webhook: string, number: number, fields: object) => ({
  pk: `WEBHOOK#${webhook}`,
  sk: `DELIVERY#${id(number)}`,
  id: id(number),
  webhook_id: webhook,
  event: 'post.published',
  event_id: `e${number}`,
  body_hash: number.toString(16).padStart(64, '0'),
  trigger: 'event',
  attempts: 1,
  created_at: at,
  last_attempt_at: at,
  next_attempt_at: at,
  last_status: '500',
  last_error: 'status',
  waiting_for: null,
  log: [],
  expires_at: 4_000_000_000,
  ...fields,
});
const webhookRow = (number: number, integration: string) => ({
  ...webhookKey(id(number) as WebhookId),
  id: id(number),
  event: 'post.published',
  target_url: `https://hooks.example/${number}`,
  name: null,
  secret: null,
  api_version: 'v6.0',
  integration_id: integration,
  status: 'available',
  last_triggered_at: null,
  last_triggered_status: null,
  last_triggered_error: null,
  created_at: at,
  updated_at: at,
});

/** The measurements by name. `writesPage`: whether the fan-outs are written into lab/reports/performance.md. */
export type LongWork = 'sweep' | 'fan-out' | 'ten-events' | 'deletion' | 'replay';

export const works: Readonly<Record<LongWork, (writesPage: boolean) => Promise<void>>> = {
  async sweep() {
    const count = 100_000;
    await write(
      Array.from({ length: count }, (_, number) => {
        const row = deliveryRow(id(number % 500), number, { status: 'retrying' });
        return { ...row, ...dueAt(row, Date.now() - 60_000 - number) };
      }),
    );
    // The index lags by a second.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const handler = await handlerOf('due/sweep');
    const before = await ask<number>({ sent: true });
    const measured = await measure(async () => {
      let runs = 0;
      do {
        await handler({}, context(55));
        runs++;
        // After six minutes, deliveries that were sent are due again.
      } while (runs < 6 && (await ask<number>({ sent: true })) - before < count);
      return runs;
    });
    show('sweep of 100,000', measured, count, 'due/sweep');
  },

  async 'fan-out'(writesPage) {
    const handler = await handlerOf('deliveries/fan-out');
    const { bodyHash } = await import('../../shared/events/event.ts');
    const sizes: FanOutSize[] = [];
    // Not counted: the first event compiles the function and opens connections.
    for (const count of [10, 1, 100, 10_000, 100_000]) {
      const event = `bench.to.${count}`;
      await ask({ subscribers: count, event });
      const message = {
        kind: 'event',
        id: event,
        publisher: 'bench',
        event,
        accepted_at: at,
        payload: { bench: { current: {}, previous: {} } },
        owner: event,
      };
      const hash = bodyHash('bench', event);
      const measured = await measure(async () => {
        await work(handler, record('events', message), 30);
        let runs = 1;
        // A run sends the rest to the queue; repeat until nothing is left.
        for (; !(await isDone(hash)); runs++)
          await work(handler, record('events', { kind: 'continuation', body_hash: hash }), 30);
        return runs;
      });
      if (count === 10) continue;
      show(`fan-out to ${count.toLocaleString('en')}`, measured, count, 'deliveries/fan-out');
      sizes.push({ ...measured, subscribers: count, seconds: secondsOf(measured, 'deliveries/fan-out') });
    }
    if (writesPage) writeFanOutPage(sizes, memoryOf('deliveries/fan-out'));
  },

  async 'ten-events'() {
    await write(
      Array.from({ length: 5000 }, (_, number) => ({
        pk: 'EVENT#page.published',
        sk: `SUBSCRIBER#${id(number)}`,
        webhook_id: id(number),
      })),
    );
    const handler = await handlerOf('deliveries/fan-out');
    const records = Array.from({ length: 10 }, (_, number) => ({
      kind: 'event',
      id: `ten-${number}`,
      publisher: 'bench',
      event: 'page.published',
      accepted_at: at,
      payload: { page: { current: {}, previous: {} } },
      owner: `ten-${number}`,
    })).flatMap((body) => record('events', body).Records);
    const measured = await measure(async () => {
      await work(handler, { Records: records }, 30);
      return 1;
    });
    show('ten events with 5,000 subscribers each', measured, 50_000, 'deliveries/fan-out');
  },

  async deletion() {
    const count = 2000;
    const integration = 'a'.repeat(24);
    const hooks = Array.from({ length: count }, (_, number) => webhookRow(number, integration));
    const { guardKey, pointerKey, subscriberKey } = await import('../../shared/webhooks/table-keys.ts');
    await write([
      {
        pk: `INTEGRATION#${integration}`,
        sk: 'INTEGRATION',
        id: integration,
        name: 'Shop',
        deleting_since: at,
        ...dueAt({ pk: `INTEGRATION#${integration}`, sk: 'INTEGRATION' }, Date.now() + 60_000),
      },
      ...hooks.flatMap((hook) => [
        hook,
        { ...guardKey(hook), webhook_id: hook.id },
        { ...subscriberKey(hook.event, hook.id as never), webhook_id: hook.id },
        { ...pointerKey(integration as never, hook.id as never), webhook_id: hook.id },
      ]),
    ]);
    const handler = await handlerOf('integrations/finish-deletion');
    const measured = await measure(async () => {
      await work(handler, record('deletions', { integration_id: integration }), 60);
      return 1;
    });
    show('deletion of 2,000 webhooks', measured, count, 'integrations/finish-deletion');
  },

  async replay() {
    const count = 2000;
    const integration = 'b'.repeat(24);
    const hook = webhookRow(900_000, integration);
    const first = Date.parse('2026-01-01T00:00:00Z');
    const rows = Array.from({ length: count }, (_, number) => {
      const key = (first + number).toString(16).padStart(12, '0') + number.toString(16).padStart(12, '0');
      return { ...deliveryRow(hook.id, number, { status: 'delivered' }), sk: `DELIVERY#${key}`, id: key };
    });
    const { newReplayOf } = await import('../../shared/deliveries/replays/replay.ts');
    const { beginReplay, readReplay } = await import('../../shared/deliveries/replays/store.ts');
    await write([{ pk: `INTEGRATION#${integration}`, sk: 'INTEGRATION', id: integration }, hook, ...rows]);
    const range = { since: first, until: first + count, status: null };
    const replay = newReplayOf('c'.repeat(24) as never, hook.id as never, range, Date.now());
    await beginReplay(replay, undefined);
    const handler = await handlerOf('replays/run');
    const measured = await measure(async () => {
      let runs = 0;
      for (; (await readReplay(replay.id))?.state === 'running'; runs++) {
        await work(handler, record('replays', { replay_id: replay.id }), 30);
        // Assume a lane that keeps up: the whole chunk is delivered before the next run.
        const lane = (await readReplay(replay.id))?.in_lane ?? [];
        await write(
          lane.map((key) => ({ ...deliveryRow(hook.id, 0, { status: 'delivered' }), sk: `DELIVERY#${key}`, id: key })),
        );
      }
      return runs;
    });
    show('replay of 2,000', measured, count, 'replays/run');
    const chunk = 200;
    const runMs = measured.wallMs / measured.runs;
    console.log(
      `  at chunks of ${chunk} and a second between them, 100,000 take ${(((100_000 / chunk) * (1 + runMs / 1000)) / 60).toFixed(1)} minutes`,
    );
  },
};

/** A fan-out of a single page writes neither a cursor nor an end mark. */
const isDone = async (hash: string): Promise<boolean> => {
  const { readEventBody } = await import('../../shared/events/store.ts');
  const body = await readEventBody(hash);
  return body !== undefined && (body.fan_out_done === true || body.fan_out_after === undefined);
};

/** Ends the process of DynamoDB and SQS. */
export const end = (): void => {
  child.kill();
};
