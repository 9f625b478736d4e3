/**
 * The long run: mixed load on a local stack with its files, while AWS calls fail, functions and the stack are killed
 * and the clock jumps. Receivers and the mailbox keep the ledger. Prints a report, and exits with 1 if something that
 * was accepted is lost or repeated without a reason, an item orphaned, a queue left full, or if memory or files grow.
 *
 *   npm --prefix lab run soak -- --minutes 120 --seed 7
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { command, numberFrom, run, wholeNumber } from '../../infra/command-line/command.ts';
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';
import { itemsOf } from '../../test/attack/items.ts';
import { mailsByAddress, mailsIn } from '../../test/support/mailbox.ts';
import { temporaryHome } from '../../test/support/parts-running-stack.ts';
import { runScript } from '../../test/support/run-script.ts';
import { waitingMessages } from '../../test/support/waiting-messages.ts';
import { eventNames, startLoad } from './load.ts';
import { orphansIn } from './orphans.ts';
import { behaviours, keepLedger } from './receivers.ts';
import { soakedStack } from './running.ts';
import { type Sample, sample, sizeOf, trends } from './samples.ts';
import { scheduleOf } from './schedule.ts';

const webhooksPerEvent = 4;
const secondsBetweenSamples = 5;
/** A message in work when the stack was killed is received again after its queue's visibility timeout. */
const drainMinutes = 12;

const soak = async (minutes: number, seed: number): Promise<boolean> => {
  const schedule = scheduleOf(minutes * 60, seed);
  const random = randomNumbers(seed + 1);
  const began = Date.now();
  const elapsed = () => (Date.now() - began) / 1000;
  const isDown = () => elapsed() > 0.2 * schedule.seconds && elapsed() < 0.4 * schedule.seconds;
  const home = temporaryHome();
  const ledger = await keepLedger(random, isDown);
  const stack = soakedStack(home.folder);
  const samples: Sample[] = [];
  const kills: number[] = [];
  const findings: string[] = [];

  const [firstLife, ...laterLives] = schedule.lives;
  const { stack: addresses } = await stack.start(firstLife?.plan ?? { faults: [] });
  const key = addresses.integrationKey;
  const paths = new Map(
    eventNames.map((event, kind) => [
      event,
      Array.from({ length: webhooksPerEvent }, (_, index) => `/hook/${kind * webhooksPerEvent + index}`),
    ]),
  );
  const webhooks: string[] = [];
  for (const [event, of] of paths)
    for (const path of of) {
      const body = { webhooks: [{ event, target_url: `${ledger.origin}${path}`, secret: 'a secret of a soak' }] };
      webhooks.push((await stack.call('POST', '/admin/webhooks/', body, key))?.body.webhooks[0].id);
    }
  const { roles } = (await stack.call('GET', '/admin/roles/'))?.body ?? {};
  const authorRole = roles.find(({ name }: { name: string }) => name === 'Author').id;
  const body = { integrations: [{ name: 'Ghost' }] };
  const { id } = (await stack.call('POST', '/admin/integrations/', body))?.body.integrations[0] ?? {};
  const inbound = await stack.call('POST', `/admin/integrations/${id}/inbound_secret/`);
  const load = startLoad(stack, {
    random: randomNumbers(seed + 2),
    seed,
    webhooks,
    integrationKey: key,
    site: { id, secret: inbound?.body.secrets[0].secret },
    authorRole,
    receiver: ledger.origin,
  });

  let life = 1;
  let jumpsMade = 0;
  let lastSample = 0;
  while (elapsed() < schedule.seconds) {
    await wait(200);
    const jump = schedule.jumps[jumpsMade];
    if (jump !== undefined && elapsed() >= jump.at) {
      stack.jump(jump.by);
      jumpsMade += 1;
    }
    const next = laterLives[life - 1];
    if (next !== undefined && elapsed() >= next.from) {
      await stack.kill();
      kills.push(Date.now());
      life += 1;
      await stack.start(next.plan);
      console.log(`${Math.round(elapsed())} s: killed and started again, with ${next.names.join(' and ')}`);
    }
    if (elapsed() - lastSample >= secondsBetweenSamples) {
      lastSample = elapsed();
      samples.push(...sample((await stack.running()).pid, Math.round(lastSample), life));
    }
  }
  const loadedBytes = sizeOf(home.folder);
  await load.end();
  ledger.recover();
  await stack.stop();
  const faults = stack.faults();
  const drained = await stack.start({ faults: [] });
  const { endpoint, region, ...credentials } = drained.stack.aws;
  const sqs = new SQSClient({ endpoint, region, credentials });

  const missing = () =>
    [...load.accepted].flatMap(([id, event]) =>
      (paths.get(event) ?? []).flatMap((path) => (ledger.has(path, id) ? [] : [{ id, path }])),
    );
  const waiting = () => waitingMessages(sqs, drained.stack.queues);
  const pendingInvites = async () =>
    (await stack.call('GET', '/admin/invites/?status=pending&limit=1'))?.body.invites.length ?? 1;
  const drainBegan = Date.now();
  let deadLetters = 0;
  let queues = await waiting();
  for (let round = 1; Date.now() - drainBegan < drainMinutes * 60_000; round++) {
    await wait(5000);
    queues = await waiting();
    const dead = Object.entries(queues).filter(([name]) => name.endsWith('-dead'));
    for (const [name, count] of dead) {
      deadLetters += count;
      await runScript('infra/ops/ops.ts', ['redrive', '--stage', 'local', name.replace(/-dead$/, '')], {
        MASTHEAD_HOME: home.folder,
      });
    }
    if (Object.keys(queues).length === 0 && missing().length === 0 && (await pendingInvites()) === 0) break;
    // Retries that wait for hours are due at once; the schedule finds them within a minute.
    if (round % 12 === 3) stack.jump(25 * 3600);
  }
  const drainSeconds = Math.round((Date.now() - drainBegan) / 1000);

  const unexplained: string[] = [];
  const explained: Record<string, number> = {};
  for (const { id, path } of missing()) {
    const webhook = webhooks[Number(path.split('/').at(-1))];
    const listed = await stack.call(
      'GET',
      `/admin/webhooks/${webhook}/deliveries/?limit=100&event=${load.accepted.get(id)}`,
    );
    const found = listed?.body.deliveries.find((delivery: { event_id: string }) => delivery.event_id === id);
    if (found === undefined || found.status === 'delivered')
      unexplained.push(`event ${id} for ${path}: ${found?.status ?? 'no delivery'}`);
    else explained[found.status] = (explained[found.status] ?? 0) + 1;
  }
  const repeated = ledger.repeated();
  // If the machine is too slow, calls time out without any fault, and their messages are received again.
  const log = readFileSync(join(home.folder, 'functions.log'), 'utf8');
  const unprocessed = log.split('A message could not be processed').length - 1;
  const calmUntil = began + ((schedule.lives[0]?.until ?? 0) - 15) * 1000;
  const inCalm = repeated.filter(({ again }) => again < calmUntil).length;
  const bound =
    unprocessed +
    (faults.kill ?? 0) * 10 +
    (faults.duplicate ?? 0) +
    (faults.error ?? 0) +
    (faults.reset ?? 0) +
    (faults.throttle ?? 0) +
    (faults.partial ?? 0) +
    // A jump ends the visibility timeout of what is in work.
    (kills.length + jumpsMade) * 200;

  const mails = mailsByAddress(await mailsIn(drained.stack.mailbox));
  const withoutMail = [...load.invited].filter((email) => !mails.has(email));
  const extraMails = [...mails]
    .filter(([email]) => email.startsWith('soak-'))
    .reduce((sum, [, count]) => sum + count - 1, 0);
  const dynamodb = new DynamoDBClient({ endpoint, region, credentials });
  const items = (await itemsOf(dynamodb, drained.stack.table)).map((item) => unmarshall(item));
  const orphans = orphansIn(items, stack.now());
  const flat = trends(samples);
  const { requests, succeeded } = ledger.counts();
  await stack.stop();
  ledger.close();

  if (unexplained.length > 0)
    findings.push(`lost: ${unexplained.length}, such as ${unexplained.slice(0, 5).join('; ')}`);
  if (withoutMail.length > 0) findings.push(`invites without a mail: ${withoutMail.join(', ')}`);
  if (inCalm > unprocessed) findings.push(`${inCalm} deliveries were repeated while nothing failed`);
  if (repeated.length > bound)
    findings.push(`${repeated.length} deliveries were repeated; the faults explain ${bound}`);
  if (ledger.twice() > 0) findings.push(`${ledger.twice()} events came to a webhook as two deliveries`);
  if (extraMails > (faults.kill ?? 0) + kills.length + (faults.reset ?? 0) + (faults.error ?? 0))
    findings.push(`${extraMails} mails too many`);
  if (Object.keys(queues).length > 0) findings.push(`messages left in queues: ${JSON.stringify(queues)}`);
  findings.push(
    ...orphans.slice(0, 10),
    ...flat.filter(({ isFlat }) => !isFlat).map((one) => `${one.process} grows: ${JSON.stringify(one)}`),
  );
  const wrong = Object.entries(load.answers).filter(
    ([what]) => what.startsWith('failed') || /: (?:400|401|403|409|413|422)$/.test(what),
  );
  findings.push(...wrong.map(([what, times]) => `unexpected answer, ${times} times: ${what}`));

  console.table(load.answers);
  for (const [process, of] of Map.groupBy(samples, (one) => one.process))
    for (const [number, values] of Map.groupBy(of, (one) => one.life))
      console.log(
        `${process}, life ${number}, MB: ${values
          .filter((_, position) => position % 3 === 0)
          .map(({ rssMb }) => rssMb)
          .join(
            ' ',
          )}; files: ${values[0]?.files} to ${values.at(-1)?.files}; threads: ${values[0]?.threads} to ${values.at(-1)?.threads}`,
      );
  console.table(
    flat.map(({ rssMb, files, ...one }) => ({ ...one, rssMb: rssMb.join(' → '), files: files.join(' → ') })),
  );
  console.table({
    seed,
    minutes,
    'stack killed (kill -9)': kills.length,
    'clock jumps': schedule.jumps
      .slice(0, jumpsMade)
      .map(({ by }) => by)
      .join(' '),
    'faults injected': JSON.stringify(faults),
    'events accepted': load.accepted.size,
    'deliveries expected': load.accepted.size * webhooksPerEvent,
    'requests to receivers, of which 2xx': `${requests}, ${succeeded}`,
    lost: unexplained.length,
    'explained by their state': JSON.stringify(explained),
    'repeated, of which while nothing failed': `${repeated.length}, ${inCalm}`,
    'two deliveries of one event': ledger.twice(),
    'invites accepted, uncertain': `${load.invited.size}, ${load.uncertain.size}`,
    'invites without a mail': withoutMail.length,
    'mails too many': extraMails,
    'messages that failed in a function': unprocessed,
    'dead letters redriven': deadLetters,
    'left in queues': JSON.stringify(queues),
    orphans: orphans.length,
    'seconds to drain': drainSeconds,
    'home in MB after the load': Math.round(loadedBytes / 1024 / 1024),
  });
  if (findings.length === 0) home.remove();
  else console.log(`The home is kept: ${home.folder}`);
  console.log(findings.length === 0 ? 'No findings.' : `${findings.length} findings:\n${findings.join('\n')}`);
  return findings.length === 0;
};

await run(
  command('npm --prefix lab run soak --')
    .description(
      'Runs mixed load with faults, kills and clock jumps on a local stack; ' +
        `${behaviours.length} kinds of receivers keep the ledger.`,
    )
    .option('--minutes <minutes>', 'Minutes of load.', numberFrom('--minutes', 0), 10)
    .option('--seed <number>', 'Seed of the schedule of faults, kills and jumps.', wholeNumber('--seed', 0), 1)
    .action(async ({ minutes, seed }) => {
      process.exitCode = (await soak(minutes, seed)) ? 0 : 1;
    }),
);
