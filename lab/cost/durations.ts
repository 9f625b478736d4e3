/** Measures how long the functions that deliver an event take under Lambda's share of a CPU, for the batches and payloads of the cost profiles. */
import { randomUUID } from 'node:crypto';
import type { FunctionName } from '../../shared/contract.ts';
import { memoryOf } from '../../test/support/function-memory.ts';
import { measure } from '../bench/lambda/measure.ts';
import { findLimiter } from '../bench/lambda/quota.ts';
import { hook, scenarios } from '../bench/lambda/scenarios.ts';
import { startWorld, type World } from '../bench/lambda/world.ts';
import { endpoints } from './calls.ts';
import type { Duration } from './measured.ts';
import { payloadOf, payloads } from './profiles.ts';

const invocations = 30;
/** The sizes to measure; durations of other sizes are interpolated. */
const subscribers = [1, 10, 100] as const;
const batches = [1, 10, 50] as const;
const requests = [1, 10] as const;

let number = 0;
const publication = ({ keys }: World, event: string, payloadKb: number, count: number) => ({
  path: '/admin/events/',
  key: keys.integration,
  body: { events: Array.from({ length: count }, () => ({ event, payload: payloadOf(event, payloadKb, ++number) })) },
});

const eventMessage = (event: string, payloadKb: number) => ({
  kind: 'event',
  id: randomUUID(),
  publisher: 'cost',
  event,
  accepted_at: new Date().toISOString(),
  payload: payloadOf(event, payloadKb, ++number),
});

/** Measures one function after the other, at the memory of the contract. */
export const measureDurations = async (): Promise<Duration[]> => {
  const world = await startWorld();
  const limiter = findLimiter();
  const found: Duration[] = [];
  const one = async (
    name: FunctionName,
    payloadKb: number,
    units: number,
    nextEvent: () => object | Promise<object>,
  ) => {
    const memoryMb = memoryOf(name);
    const goal = { perSecond: 0 };
    const unit = name === 'deliveries/deliver' ? 'deliveries' : '';
    const scenario = { function: name, event: '', goal, units, unit, invocations, prepare: async () => nextEvent };
    const { meanMs } = await measure(world, scenario, nextEvent, memoryMb, limiter);
    found.push({ function: name, payloadKb, units, memoryMb, ms: Math.round(meanMs * 10) / 10 });
  };
  /** Returns one event with as many subscribers as the batch has deliveries, or events with ten subscribers each. */
  const deliveriesOf = async (units: number, payloadKb: number): Promise<object> => {
    const event = eventOf(Math.min(10, units));
    const messages = Array.from({ length: Math.ceil(units / 10) }, () => eventMessage(event, payloadKb));
    await world.invoke('deliveries/fan-out', world.batch('events', messages));
    return world.batch('deliveries', await world.take('deliveries'));
  };
  try {
    for (const name of endpoints) {
      const scenario = scenarios.find((candidate) => candidate.function === name);
      if (scenario !== undefined) await one(name, 2, 1, await scenario.prepare(world));
    }
    for (const count of subscribers) for (let made = 0; made < count; made++) await hook(world, eventOf(count));
    for (const payloadKb of payloads) {
      for (const units of requests)
        await one('events/publish', payloadKb, units, () =>
          world.eventOf('events/publish', publication(world, eventOf(10), payloadKb, units)),
        );
      for (const units of subscribers)
        await one('deliveries/fan-out', payloadKb, units, () =>
          world.batch('events', [eventMessage(eventOf(units), payloadKb)]),
        );
      await world.take('deliveries');
      for (const units of batches)
        await one('deliveries/deliver', payloadKb, units, () => deliveriesOf(units, payloadKb));
    }
  } finally {
    await world.stop();
  }
  return found;
};

/** Returns the event with `subscribers` subscribers. */
const eventOf = (count: number): string => (count === 1 ? 'page.added' : count === 10 ? 'page.edited' : 'member.added');
