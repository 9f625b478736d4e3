/** A failing webhook must not delay a healthy one on the same origin. */
import type { Behaviour } from '../../world/receivers.ts';
import {
  begin,
  every,
  hour,
  minute,
  never,
  type Options,
  p,
  type Report,
  resultOf,
  type Scenario,
  second,
} from './scenario.ts';

/** Publishes an event a minute to each of two webhooks on one origin, for twelve hours. */
const beside = async (neighbour: Behaviour | undefined, options: Options) => {
  const scene = await begin(options);
  const { world, customers, stack } = scene;
  const key = await world.during(customers.addIntegration());
  const good = await world.during(customers.addWebhook(key, 'post.published', 'hooks.example'));
  const bad = await world.during(customers.addWebhook(key, 'member.edited', 'hooks.example'));
  stack.receivers.behave = ({ hook }) => (hook === bad.number && neighbour ? neighbour : { status: 200, ms: 20 });
  const forMs = 12 * hour * (options.scale ?? 1);
  const publish = (name: string) => world.after(world.random() * minute, () => void customers.publish(name));
  await world.during(
    every(world, minute, forMs, () => {
      publish('post.published');
      if (neighbour !== undefined) publish('member.edited');
    }),
  );
  await world.during(world.sleep(2 * hour + second));
  return resultOf(scene, (hook) => hook === good);
};

const neighbours: Readonly<Record<string, Behaviour | undefined>> = {
  none: undefined,
  failing: { status: 500, ms: 20 },
  hanging: 'hang',
  refusing: { status: 429, ms: 20, headers: { 'retry-after': '900' } },
};

/** By how much the neighbour's own events may raise the healthy webhook's p99. */
const maxTimes = 1.2;

export const sharedOrigin: Scenario = {
  shows:
    'a healthy webhook next to a failing, hanging or throttling one on the same origin: ' +
    'its p99 is that without a neighbour',
  run: async (options) => {
    const figures: Record<string, number> = {};
    const gates: Record<string, Report['gates'][string]> = {};
    const examples: string[] = [];
    for (const [name, behaviour] of Object.entries(neighbours)) {
      const result = await beside(behaviour, options);
      figures[`${name}: healthy deliveries`] = result.deliveries;
      figures[`${name}: lost`] = result.lost;
      figures[`${name}: p50 ms`] = p(0.5, result.waits);
      figures[`${name}: p99 ms`] = p(0.99, result.waits);
      gates[`${name}: lost`] = never;
      examples.push(...result.examples);
      if (behaviour === undefined) continue;
      figures[`${name}: p99 times that without`] = p(0.99, result.waits) / (figures['none: p99 ms'] ?? Number.NaN);
      gates[`${name}: p99 times that without`] = { atMost: maxTimes };
    }
    return { figures, gates, examples };
  },
};
