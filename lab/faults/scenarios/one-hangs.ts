/** One, five or nine of ten receivers, new, idle or warm, hang and recover. It must hardly affect the others. */
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

const measure = async (hanging: number, situation: Situation, options: Options): Promise<Record<string, number>> => {
  const scene = await begin(options);
  const { world, customers, stack } = scene;
  const key = await world.during(customers.addIntegration());
  for (let number = 0; number < receivers; number++)
    await world.during(customers.addWebhook(key, name, `host${number}.example`));
  let isHanging = false;
  stack.receivers.behave = ({ hook }) =>
    isHanging && hook < hanging ? 'hang' : { status: 200, ms: world.between(10, 30) };
  const publish = (forMs: number) =>
    world.during(every(world, second / perSecond, forMs, () => customers.publish(name)));
  if (situation !== 'fresh') await publish(minute);
  const quiet = situation === 'idle' ? 5 * hour : situation === 'warm' ? second : 0;
  await world.during(world.sleep(quiet));

  const base = world.now;
  if (situation === 'warm') await publish(minute);
  const hung = world.now;
  isHanging = true;
  // A backlog of 1,000 deliveries for each hanging receiver.
  await publish(100 * second);
  const back = world.now;
  isHanging = false;
  await publish(2 * minute);
  const end = world.now;
  await world.during(world.sleep(2 * hour));
  // The comparison without a hanging receiver must be warm: it runs at the end, unless it ran at the start.
  const from = situation === 'warm' ? base : world.now;
  if (situation !== 'warm') await publish(minute);
  const to = situation === 'warm' ? hung : world.now;
  await world.during(world.sleep(minute));

  const others = (since: number, until: number) =>
    resultOf(scene, ({ number }, { acceptedAt }) => number >= hanging && acceptedAt >= since && acceptedAt < until)
      .waits;
  const without = p(0.99, others(from + second, to));
  const backlog = resultOf(
    scene,
    ({ number }, { acceptedAt }) => number < hanging && acceptedAt >= hung && acceptedAt < back,
  );
  const { lost } = resultOf(scene);
  return {
    lost,
    'p99 ms without it': without,
    'slowest ms while it is learned': p(1, others(hung, hung + learningMs)),
    'p99 ms once it is known': p(0.99, others(hung + learningMs, back)),
    'p99 times that without, once it is known': p(0.99, others(hung + learningMs, back)) / without,
    'p99 times that without, while its backlog drains': p(0.99, others(back, end)) / without,
    'minutes until its backlog is drained': Math.round(
      Math.max(...backlog.waits.map((wait, at) => wait - at)) / minute,
    ),
  };
};

type Situation = 'fresh' | 'idle' | 'warm';

const receivers = 10;
const name = 'post.published';
const perSecond = 10;
/** Milliseconds after which the product is expected to know the hanging receiver. */
const learningMs = 15 * second;

const someHang = (hanging: number): Scenario => ({
  shows:
    `${hanging} of ten receivers ${hanging === 1 ? 'hangs' : 'hang'}, at ten events a second, fresh, idle for hours ` +
    'and warm; then they recover',
  run: async (options) => {
    const figures: Record<string, number> = {};
    const gates: Record<string, Report['gates'][string]> = {};
    for (const situation of ['fresh', 'idle', 'warm'] as const) {
      const found = await measure(hanging, situation, options);
      for (const [what, value] of Object.entries(found)) figures[`${situation}: ${what}`] = value;
      gates[`${situation}: lost`] = never;
      gates[`${situation}: slowest ms while it is learned`] = { atMost: second };
      gates[`${situation}: p99 times that without, once it is known`] = { atMost: 1.2 };
      gates[`${situation}: p99 times that without, while its backlog drains`] = { atMost: 1.2 };
    }
    return { figures, gates, examples: [] };
  },
});

export const [oneHangs, fiveHang, nineHang] = [someHang(1), someHang(5), someHang(9)];
