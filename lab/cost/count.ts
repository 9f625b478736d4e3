/** Counts on a local stack what the deliveries of a profile use: units, requests, invocations and bytes. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { type Counts, countsSchema } from '../../infra/emulator/proxy/count.ts';
import { findHome } from '../../infra/local/home.ts';
import { type RunningStack, runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { itemBytes } from './items.ts';
import type { FunctionUse, Use } from './measured.ts';
import { deliveriesPerSecond, type Profile, type Publishing, payloadOf } from './profiles.ts';
import { type Receivers, startReceivers } from './receivers.ts';

/** The approximate number of deliveries of a profile. */
const deliveries = 1000;
/** How long a receiver hangs. */
const hangMs = 10_000;
/** Milliseconds without a request after which all results are recorded; longer than the first retry's wait of 5 s, shorter than a probe's. */
const quietMs = { healthy: 2000, failing: 8000, hanging: 15_000 } as const;
const maxWaitMs = 120_000;

/** Event names with one subscriber each, for a fan-out of 1. */
const names = ['post', 'page', 'tag'].flatMap((resource) =>
  ['added', 'edited', 'deleted'].map((what) => `${resource}.${what}`),
);

/** Counts the profiles one after the other, each on a new stack. */
export async function* countProfiles(profiles: readonly Profile[]): AsyncGenerator<Use> {
  const receivers = await startReceivers();
  try {
    for (const profile of profiles) {
      const home = temporaryHome();
      const running = await runStack(home.folder, ['--quiet', '--memory']);
      try {
        yield await countOne(running, receivers, profile, findHome(home.folder).logFile);
      } finally {
        await running.end('SIGINT');
        home.remove();
      }
    }
  } finally {
    receivers.stop();
  }
}

const countOne = async (running: RunningStack, receivers: Receivers, profile: Profile, log: string): Promise<Use> => {
  const { fanOut, payloadKb, publishing } = profile;
  const events = fanOut === 1 ? names : ['post.published'];
  const webhooks = events.flatMap((event) => Array.from({ length: fanOut }, () => event));
  await subscribe(running, receivers, webhooks);
  // The first delivery of a webhook also records that it was triggered.
  receivers.behave('healthy');
  receivers.forget();
  for (const event of events) await publish.single(running, [{ event, payload: payloadOf(event, 1, 0) }]);
  await settled(receivers, webhooks.length, quietMs.healthy);

  const before = {
    functions: await functionsOf(running),
    logBytes: statSync(log).size,
    items: await itemBytes(running),
  };
  receivers.behave(profile.receivers);
  receivers.forget();
  const count = Math.ceil(deliveries / fanOut);
  const began = performance.now();
  const eventsPerRequest = publishing === 'ten' ? 10 : 1;
  for (let number = 0; number < count; number += eventsPerRequest) {
    await wait(Math.max(0, began + (number * 1000 * fanOut) / deliveriesPerSecond - performance.now()));
    const published = Array.from({ length: eventsPerRequest }, (_, position) => {
      const event = events[(number + position) % events.length] ?? '';
      return { event, payload: payloadOf(event, payloadKb, number + position + 1) };
    });
    await publish[publishing](running, published);
  }
  if (profile.receivers === 'hanging') {
    await wait(Math.max(0, began + hangMs - performance.now()));
    receivers.behave('healthy');
  }
  await settled(receivers, count * fanOut, quietMs[profile.receivers]);
  const after = {
    functions: await functionsOf(running),
    logBytes: statSync(log).size,
    items: await itemBytes(running),
  };
  const { delivered, refused, bytes } = receivers.counts();
  return {
    ...profile,
    events: count,
    deliveries: count * fanOut,
    delivered,
    refused,
    transferBytes: bytes,
    logBytes: after.logBytes - before.logBytes,
    historyBytes: after.items - before.items,
    functions: difference(before.functions, after.functions),
  };
};

const subscribe = async ({ call, stack }: RunningStack, receivers: Receivers, events: readonly string[]) => {
  const create = async (event: string, number: number) => {
    const webhook = { event, target_url: receivers.target(number), secret: 'a secret of this webhook' };
    const answer = await call('POST', '/admin/webhooks/', {
      key: stack.integrationKey,
      body: { webhooks: [webhook] },
    });
    if (answer.status !== 201) throw new Error(`Creating a webhook: ${answer.status} ${answer.text}`);
  };
  for (let start = 0; start < events.length; start += 50)
    await Promise.all(events.slice(start, start + 50).map((event, position) => create(event, start + position)));
};

interface PublishedEvent {
  readonly event: string;
  readonly payload: object;
}
type Publish = (running: RunningStack, events: readonly PublishedEvent[]) => Promise<void>;

const request: Publish = async ({ call, stack }, events) => {
  const answer = await call('POST', '/admin/events/', { key: stack.integrationKey, body: { events } });
  if (answer.status !== 202) throw new Error(`Publishing: ${answer.status} ${answer.text}`);
};

/** Acts as the rule of the bus: sends its events to the events queue. */
const messagesOfTheBus: Publish = async ({ stack: { aws, queues } }, events) => {
  const { endpoint, region, ...credentials } = aws;
  const client = new SQSClient({ endpoint, region, credentials });
  for (const { event, payload } of events) {
    const time = new Date().toISOString();
    const message = { id: randomUUID(), source: 'cost', 'detail-type': event, time, detail: payload };
    await client.send(new SendMessageCommand({ QueueUrl: queues.events, MessageBody: JSON.stringify(message) }));
  }
  client.destroy();
};

const publish: Readonly<Record<Publishing, Publish>> = { single: request, ten: request, bus: messagesOfTheBus };

/** Waits until `count` deliveries were answered with 200 and no further request has come for a while. */
const settled = async (receivers: Receivers, wanted: number, forMs: number): Promise<void> => {
  const began = performance.now();
  let [last, since] = ['', began];
  for (;;) {
    await wait(100);
    const now = performance.now();
    const seen = JSON.stringify(receivers.counts());
    if (seen !== last) [last, since] = [seen, now];
    const isDone = receivers.counts().delivered >= wanted || now - began > maxWaitMs;
    if (isDone && now - since > Math.min(forMs, quietMs.healthy)) return;
    // Retries after five minutes are not waited for.
    if (now - since > 2 * forMs) return;
  }
};

/** Reads the counts of a stack's functions. */
export const functionsOf = async ({ stack }: RunningStack): Promise<Counts['functions']> =>
  v.parse(countsSchema, await (await fetch(`${stack.proxy}/counts`)).json()).functions;

/** Returns what each function used between two counts; functions that did not run are left out. */
export const difference = (before: Counts['functions'], after: Counts['functions']): Record<string, FunctionUse> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, now]): [string, FunctionUse][] => {
      const then = before[name];
      const grown = (pick: (counts: typeof now) => number) => pick(now) - (then === undefined ? 0 : pick(then));
      const invocations = grown((counts) => counts.invocations);
      if (invocations === 0) return [];
      const use = {
        invocations,
        ms: Math.round(grown((counts) => counts.ms)),
        readUnits: grown((counts) => counts.readUnits),
        writeUnits: grown((counts) => counts.writeUnits),
        queueRequests: grown((counts) => counts.queueRequests),
      };
      return [[name, use]];
    }),
  );
