/** A call of AWS on its way through the simulated world: it takes a moment, may be throttled, and its caller may die on the way. */
import { isDead, world } from './world.ts';

/** How bad the world is. */
export interface Weather {
  /** Milliseconds that a call takes, at least and at most. */
  callMs: readonly [number, number];
  /** Share of the table's calls that are throttled beyond what the SDK bears, and of batches of which a queue takes only some. */
  throttled: number;
  partlyTaken: number;
}

export const goodWeather: Weather = { callMs: [0, 0], throttled: 0, partlyTaken: 0 };
export const weather: Weather = { ...goodWeather };

/** How often what happened. */
export const counted = { calls: 0, throttled: 0, partlyTaken: 0 };

const never = new Promise<never>(() => {});

/** An error as the SDK throws it. */
export const awsError = (name: string, status: number, more: object = {}): Error =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } }, more);

/** Carries out a call of the run that this code is part of. */
export async function call<T>(service: 'dynamodb' | 'sqs', effect: () => T): Promise<T> {
  const { run } = world();
  const [least, most] = weather.callMs;
  counted.calls++;
  run?.onStep();
  if (isDead(run)) return never;
  if (most > 0) await world().sleep(world().between(least, most) / 2);
  if (service === 'dynamodb' && run !== undefined && world().random() < weather.throttled) {
    counted.throttled++;
    throw awsError('ProvisionedThroughputExceededException', 400);
  }
  const result = effect();
  // It may die when all is done, before it learns of it.
  run?.onStep();
  if (isDead(run)) return never;
  if (most > 0) await world().sleep(world().between(least, most) / 2);
  return result;
}
