/**
 * Measures whether healthy receivers look slow to an environment that is busy with TLS handshakes. The deployed deliver function, with the CPU
 * share of its memory, posts a full batch to fifty origins, all of which answer after the same time by their own clock. An environment's first
 * batch is cold; the second comes when its connections are too old to be reused.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { type CohortItem, inCohort, isCohortItem, membersOf } from '../../shared/deliveries/records/cohort.ts';
import { webhookOfKey } from '../../shared/webhooks/table-keys.ts';
import { memoryOf } from '../../test/support/function-memory.ts';
import { startEnvironment } from './lambda/environment.ts';
import { findLimiter } from './lambda/quota.ts';
import { startWorld } from './lambda/world.ts';
import { quantile } from './statistics.ts';

/** A full batch of the normal lane. */
const origins = 50;
/** The response time in ms by the receivers' own clock. The soft deadline is 500 ms. */
const answersMs = [0, 200, 300, 400];
/** Connections are reused for at most ten seconds. */
const tooOldMs = 11_000;

const measure = async (environments: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-handshakes-'));
  const openssl = (command: string): void => {
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'ignore' });
  };
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  openssl(`req -x509 ${newKey} -keyout ca.key -out ca.pem -days 2 -subj /CN=authority`);
  openssl(`req ${newKey} -keyout own.key -out own.csr -subj /CN=localhost -addext subjectAltName=DNS:localhost`);
  openssl('x509 -req -in own.csr -CA ca.pem -CAkey ca.key -copy_extensions copy -days 2 -out own.pem');

  const receivers = fork(new URL('handshakes-receivers.ts', import.meta.url), [
    join(folder, 'own.key'),
    join(folder, 'own.pem'),
    String(origins),
  ]);
  const [ports]: number[][] = await once(receivers, 'message');
  const world = await startWorld();
  const limiter = findLimiter();

  for (const port of ports ?? []) {
    const target_url = `https://localhost:${port}/hook`;
    const body = { webhooks: [{ event: 'post.published', target_url, secret: 'a secret of the owner' }] };
    await world.call('webhooks/create', { path: '/admin/webhooks/', key: world.keys.integration, body });
  }

  /** Publishes an event, and returns its batch. */
  const nextBatch = async (): Promise<object> => {
    world.setLatency(false);
    const payload = { post: { current: { title: String(performance.now()), html: 'x'.repeat(2000) }, previous: {} } };
    const body = { events: [{ event: 'post.published', payload }] };
    await world.call('events/publish', { path: '/admin/events/', key: world.keys.integration, body });
    const events = await world.take('events');
    if (events.length > 0) await world.invoke('deliveries/fan-out', world.batch('events', events));
    const messages = await world.take('deliveries');
    world.setLatency(true);
    return world.batch('deliveries', messages);
  };

  const itemsOf = async () => (await world.table.send(new ScanCommand({ TableName: world.tableName }))).Items ?? [];

  /** Returns the durations in ms of all attempts logged since a time. */
  const durationsSince = async (since: number): Promise<number[]> =>
    (await itemsOf())
      .filter((item): item is CohortItem => isCohortItem({ pk: item.pk, sk: item.sk }))
      .flatMap((item) => membersOf(item).map((webhook) => inCohort(item, webhook)))
      .flatMap((found) => (typeof found === 'object' ? found.log : []))
      .filter(({ started_at }) => Date.parse(started_at) >= since)
      .map(({ duration_ms }) => duration_ms);

  /** Counts the webhooks that were found slow, and resets them to healthy. */
  const takeLate = async (): Promise<number> => {
    const late = (await itemsOf()).filter(
      ({ pk, sk, health }) => webhookOfKey({ pk, sk }) !== undefined && health !== undefined,
    );
    for (const { pk, sk } of late)
      await world.table.send(
        new UpdateCommand({
          TableName: world.tableName,
          Key: { pk, sk },
          UpdateExpression: 'REMOVE health, health_revision',
        }),
      );
    return late.length;
  };

  try {
    console.log(
      '| connections | answer after, ms | batch ms | CPU ms | attempt p50 ms | max ms | of 50 receivers, slow |',
    );
    console.log('|---|---:|---:|---:|---:|---:|---:|');
    for (const answerMs of answersMs) {
      receivers.send(answerMs);
      for (let count = 0; count < environments; count++) {
        const environment = await startEnvironment(
          {
            name: 'deliveries/deliver',
            file: world.fileOf('deliveries/deliver'),
            environment: { ...world.environment, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
          },
          memoryOf('deliveries/deliver'),
          limiter,
        );
        try {
          for (const connections of ['new, cold', 'new, warm']) {
            const batch = await nextBatch();
            const since = Date.now();
            const { ms, cpuMs } = await environment.run(batch);
            world.setLatency(false);
            const durations = await durationsSince(since);
            if (durations.length !== origins) throw new Error(`Only ${durations.length} deliveries were recorded.`);
            const figures = [answerMs, ms, cpuMs, quantile(durations, 0.5), Math.max(...durations), await takeLate()];
            console.log(`| ${connections} | ${figures.map((figure) => figure.toFixed(0)).join(' | ')} |`);
            if (connections === 'new, cold') await wait(tooOldMs);
          }
        } finally {
          // This also removes the CPU limit.
          await environment.end();
        }
      }
    }
  } finally {
    receivers.disconnect();
    await world.stop();
    rmSync(folder, { recursive: true });
  }
};

await run(
  command('npm --prefix lab run bench:handshakes --')
    .description(
      'Measures how many of fifty healthy receivers look slow to an environment of the deliver function that is busy with TLS handshakes, and how long its attempts take in ms. Needs openssl, and cgroups (root on Linux) or cpulimit.',
    )
    .argument(
      '[environments]',
      'Environments per response time; there are four, and each environment takes about half a minute.',
      wholeNumber('<environments>'),
      3,
    )
    .action(measure),
);
process.exit();
