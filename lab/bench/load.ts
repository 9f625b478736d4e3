/** Load for the benchmarks of a running stack: creates webhooks and publishes events. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../../test/support/http-caller.ts';
import { now } from './clock.ts';

interface LoadedStack {
  readonly stack: { readonly integrationKey: string };
  readonly call: Call;
}

/** Creates `count` webhooks for an event, spread over these receivers, each with its own path. */
export const subscribe = async (
  { call, stack }: LoadedStack,
  origins: readonly string[],
  event: string,
  count: number,
): Promise<void> => {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const webhook = { event, target_url: `${origins[index % origins.length]}/${event}/${index}`, secret: 'a secret' };
      const answer = await call('POST', '/admin/webhooks/', {
        key: stack.integrationKey,
        body: { webhooks: [webhook] },
      });
      if (answer.status !== 201) throw new Error(`creating a webhook: ${answer.status} ${answer.text}`);
    }),
  );
};

export interface Published {
  readonly title: string;
  /** When it was published, on the clock of `clock.ts`. */
  readonly at: number;
}

/** Publishes one event, with a body of 1 KB by default. */
export const publish = async (
  { call, stack }: LoadedStack,
  event: string,
  html = 'x'.repeat(900),
): Promise<Published> => {
  const title = crypto.randomUUID();
  const key = event.split('.')[0] ?? '';
  const payload = { [key]: { current: { title, html }, previous: {} } };
  const at = now();
  const answer = await call('POST', '/admin/events/', {
    key: stack.integrationKey,
    body: { events: [{ event, payload }] },
  });
  if (answer.status !== 202) throw new Error(`publishing: ${answer.status} ${answer.text}`);
  return { title, at };
};

/** Publishes `count` events at a steady rate, regardless of how fast they are delivered. */
export const publishSteadily = async (
  running: LoadedStack,
  event: string,
  { count, perSecond }: { readonly count: number; readonly perSecond: number },
): Promise<Published[]> => {
  const began = now();
  const published: Promise<Published>[] = [];
  for (let index = 0; index < count; index++) {
    await wait(Math.max(0, began + (index * 1000) / perSecond - now()));
    published.push(publish(running, event));
  }
  return Promise.all(published);
};

/** Publishes events, ten per request, as fast as they are accepted; over the limit, when `Retry-After` says. */
export const publishMany = async ({ call, stack }: LoadedStack, event: string, count: number): Promise<void> => {
  const key = event.split('.')[0] ?? '';
  for (let sent = 0; sent < count; sent += 10) {
    const events = Array.from({ length: Math.min(10, count - sent) }, () => ({
      event,
      payload: { [key]: { current: { title: crypto.randomUUID() }, previous: {} } },
    }));
    const post = () => call('POST', '/admin/events/', { key: stack.integrationKey, body: { events } });
    let answer = await post();
    while (answer.status === 429) {
      await wait(Number(answer.headers['retry-after']) * 1000);
      answer = await post();
    }
    if (answer.status !== 202) throw new Error(`publishing: ${answer.status} ${answer.text}`);
  }
};
