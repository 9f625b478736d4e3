/** Small worlds with one fault each, and a mistake in the product that only this fault reveals. */
import type { Mutate } from '../world/bundle.ts';
import { flipping } from '../world/flipping.ts';
import type { Mutant } from './mutants.ts';
import { begin, day, every, hour, minute, p, resultOf, type Scene, second } from './scenarios/scenario.ts';

export interface SingleFault {
  /** How the mistake shows at the receivers, or in the API. */
  readonly name: string;
  readonly mutant: Mutant;
  readonly run: (mutate?: Mutate) => Promise<readonly string[]>;
}

const name = 'post.published';

/** Starts a stage whose environments never freeze, because freezing is one of the faults. */
const start = async (mutate: Mutate | undefined, stage: 'dev' | 'prod' = 'prod', seed = 2): Promise<Scene> => {
  const scene = await begin({ seed, mutate, stage });
  scene.stack.weather.freezes = false;
  return scene;
};

const subscribe = async ({ world, customers }: Scene, hostOf: (number: number) => string, count = 1, event = name) => {
  const key = await world.during(customers.addIntegration());
  const numbers: number[] = [];
  for (let number = 0; number < count; number++)
    numbers.push((await world.during(customers.addWebhook(key, event, hostOf(number)))).number);
  return numbers;
};

const publish = ({ world, customers }: Scene, event = name) => world.during(customers.publish(event));

const violationsOf = (scene: Scene): string[] => {
  const { examples } = resultOf(scene);
  return [...examples, ...scene.stack.ledger.examples];
};

const unless = (isRight: boolean, what: string): string[] => (isRight ? [] : [what]);

const singleHost = () => 'hooks.example';
const ownHost = (number: number) => `host${number}.example`;

const expiresAtOnce: SingleFault = {
  name: 'items that are deleted as soon as they expire',
  mutant: {
    name: 'the record of a success lives for 4.8 days',
    path: 'shared/deliveries/delivery.ts',
    replaced: /Math\.max\(keepDays, longestDeliveryDays \+ 1\)/,
    by: '4.8',
  },
  run: async (mutate) => {
    const scene = await start(mutate);
    const { stack, world } = scene;
    stack.weather.ttlLateMs = [0, 0];
    const queue = stack.queue('deliveries');
    const sent: { body: string; group: string | undefined }[] = [];
    queue.onSent = ({ body, group }) => sent.push({ body, group });
    await subscribe(scene, singleHost);
    await publish(scene);
    // A duplicate that was a dead letter for six days is put back.
    await world.during(world.sleep(6 * day));
    for (const { body, group } of sent.splice(0)) queue.send(body, { group });
    await world.during(world.sleep(hour));
    return violationsOf(scene);
  },
};

const expiresLate: SingleFault = {
  name: 'items that are deleted two days after they expire',
  mutant: {
    name: 'the log shows what has expired',
    path: 'shared/deliveries/log/browse.ts',
    replaced: /expires_at \* second > systemClock\(\)/,
    by: 'expires_at > 0',
  },
  run: async (mutate) => {
    const scene = await start(mutate);
    const { stack, world, customers } = scene;
    stack.weather.ttlLateMs = [2 * day, 2 * day];
    await subscribe(scene, singleHost);
    await publish(scene);
    const { keepDays } = stack.config.settings.deliveries;
    await world.during(world.sleep((keepDays + 1) * day));
    const shown = await Promise.all(customers.hooks.map((hook) => world.during(customers.deliveriesOf(hook))));
    return [...violationsOf(scene), ...unless(shown.flat().length === 0, 'The log shows an expired delivery.')];
  },
};

const freezes: SingleFault = {
  name: 'an environment that is frozen after its batch, while its sockets and timers wait',
  mutant: {
    name: 'a batch of events ends before their fan-outs',
    path: 'functions/deliveries/fan-out.ts',
    replaced: /=> fanOut\(body, rules\)/,
    by: '=> { void fanOut(body, rules); return Promise.resolve(); }',
  },
  run: async (mutate) => {
    const scene = await start(mutate);
    const { stack, world } = scene;
    Object.assign(stack.weather, { freezes: true, closesSockets: true });
    // More subscribers than the function that accepts the event reaches itself.
    await subscribe(scene, ownHost, 60);
    await publish(scene);
    await world.during(world.sleep(day));
    return violationsOf(scene);
  },
};

const crashes: SingleFault = {
  name: 'a kill of all processes while one of them waits for a receiver',
  mutant: {
    name: 'a probe that was claimed is never given up',
    path: 'shared/deliveries/attempt/deliver.ts',
    replaced: /const probeMarginMs = 2 \* second/,
    by: 'const probeMarginMs = 400 * 86_400 * second',
  },
  run: async (mutate) => {
    const scene = await start(mutate);
    const { stack, world } = scene;
    let requests = 0;
    // The second request to a hanging receiver is the probe; the processes are killed while it waits.
    stack.receivers.behave = () => {
      requests++;
      if (requests > 2) return { status: 200, ms: 20 };
      if (requests === 2) world.after(5 * second, () => stack.crash());
      return 'hang';
    };
    await subscribe(scene, singleHost);
    await publish(scene);
    await world.during(world.sleep(5 * day));
    return violationsOf(scene);
  },
};

const flippingMs = 85 * second;

/** In most worlds, the webhooks become slow at different times, and return at different times even with a mistake. */
const flipsIn = (seed: number, mutant: Pick<SingleFault['mutant'], 'name' | 'replaced' | 'by'>): SingleFault => ({
  name: `receivers that hang, answer three requests quickly and hang again, in world ${seed}`,
  mutant: { ...mutant, path: 'shared/deliveries/attempt/hanging.ts' },
  run: async (mutate) => {
    const scene = await start(mutate, 'dev', seed);
    const { stack, world, customers } = scene;
    const quiet = await subscribe(scene, (number) => `quiet${number}.example`, 3);
    await subscribe(scene, ownHost, 40, 'member.edited');
    const flips = flipping(world);
    stack.receivers.behave = ({ hook }) => (quiet.includes(hook) ? { status: 200, ms: 20 } : flips(hook));
    const began = world.now;
    await world.during(
      Promise.all([
        every(world, 2 * second, flippingMs, () => customers.publish('member.edited')),
        every(world, second, flippingMs, () => customers.publish(name)),
      ]),
    );
    await world.during(world.sleep(minute));
    const { waits } = resultOf(
      scene,
      (hook, { acceptedAt }) => quiet.includes(hook.number) && acceptedAt > began + 10 * second,
    );
    return unless(p(1, waits) <= 3 * second, `Another webhook waited for ${p(1, waits)} ms.`);
  },
});

const flips = [
  flipsIn(18, {
    name: 'a webhook that was slow returns without an answer',
    replaced: /if \(wasLate && !hasAnswered\) return true;/,
    by: '',
  }),
  flipsIn(31, {
    name: 'an environment does not remember which webhooks hang',
    replaced: /const manyLate = 3/,
    by: 'const manyLate = 1000',
  }),
];

const sharesHost: SingleFault = {
  name: 'fifty webhooks on one host, which get ten connections at a time',
  mutant: {
    name: "a receiver's time begins before it has a connection",
    path: 'shared/deliveries/attempt/deliver.ts',
    replaced: /(?=const request = requestOf\()/,
    by: 'watch.begin(); ',
  },
  run: async (mutate) => {
    const scene = await start(mutate);
    const { stack, world } = scene;
    let slow = 0;
    stack.queue('slow-deliveries').onSent = () => slow++;
    stack.receivers.behave = () => ({ status: 200, ms: 300 });
    await subscribe(scene, singleHost, 50);
    for (let number = 0; number < 5; number++) {
      await publish(scene);
      await world.during(world.sleep(10 * second));
    }
    return [...violationsOf(scene), ...unless(slow === 0, `${slow} deliveries took the slow lane.`)];
  },
};

const optionsRounds = 5;
/** About as long as an event takes from its publisher to its receivers. */
const changesWithinMs = 150;

const changesOptions: SingleFault = {
  name: 'customers who change the options of webhooks while batches read them',
  mutant: {
    name: 'the options of one revision go with the webhook of another',
    path: 'shared/webhooks/options-store.ts',
    replaced: /revisions\.get\(webhook_id\) === revision/,
    by: 'revisions.has(webhook_id)',
  },
  run: async (mutate) => {
    const scene = await start(mutate);
    const { world, customers } = scene;
    const key = await world.during(customers.addIntegration());
    for (let number = 0; number < 20; number++)
      await world.during(customers.addWebhook(key, name, ownHost(number), { hasOptions: true }));
    for (let round = 0; round < optionsRounds; round++) {
      const changes = customers.hooks.map((hook) =>
        world.sleep(world.random() * changesWithinMs).then(() => customers.move(hook)),
      );
      await world.during(Promise.all([customers.publish(name), ...changes]));
      await world.during(world.sleep(minute));
    }
    return violationsOf(scene);
  },
};

export const singleFaults: readonly SingleFault[] = [
  expiresAtOnce,
  expiresLate,
  freezes,
  crashes,
  ...flips,
  sharesHost,
  changesOptions,
];
