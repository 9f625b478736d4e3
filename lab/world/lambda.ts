/** One Lambda function: its environments, which run one invocation at a time, and the ends of invocations. */
import type { Bundle, Modules } from './bundle.ts';
import { Environment } from './environment.ts';
import type { Run } from './run.ts';
import type { Counts, Weather } from './weather.ts';
import type { World } from './world.ts';

export interface FunctionOptions {
  readonly name: string;
  readonly bundle: Bundle;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly modules: (environment: Environment) => Modules;
}

interface Surroundings {
  readonly world: World;
  readonly weather: Weather;
  readonly counts: Counts;
  readonly account: Account;
  readonly onLine: (line: string) => void;
}

export interface Account {
  busy: number;
  readonly concurrency: number;
}

/** How an invocation ended; `killed` includes a timeout, and `throttled` means that it did not begin. */
export type Outcome =
  | { readonly kind: 'throttled' }
  | { readonly kind: 'returned'; readonly result: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'killed' };

/** Milliseconds until a new environment runs its first invocation, and until Lambda removes an idle one. */
const coldStartMs = 350;
const idleMs = 10 * 60_000;

/** An invocation that is to be killed ends within this number of steps, two per call, or at its end if it has fewer. */
const fewSteps = 8;
const manySteps = 48;

export class LambdaFunction {
  readonly options: FunctionOptions;
  private readonly surroundings: Surroundings;
  private readonly underWay = new Set<() => void>();
  private readonly idle: { readonly environment: Environment; readonly since: number }[] = [];

  constructor(options: FunctionOptions, surroundings: Surroundings) {
    this.options = options;
    this.surroundings = surroundings;
  }

  restart(): void {
    this.idle.length = 0;
  }

  /** Kills all environments at this moment, regardless of what they wait for. */
  crash(): void {
    this.restart();
    for (const die of [...this.underWay]) die();
  }

  /** Runs the function once, in a free or a new environment. Never rejects. */
  async invoke(event: object, { isFair = false, onBegin = (_run: Run) => {} } = {}): Promise<Outcome> {
    const { world, weather, counts, account } = this.surroundings;
    const { name, timeoutMs, memoryMb } = this.options;
    if (!isFair && account.busy >= account.concurrency) {
      counts.overConcurrency++;
      return { kind: 'throttled' };
    }
    account.busy++;
    const environment = this.free() ?? (await this.start(isFair));
    counts.invocations++;
    const end = Promise.withResolvers<Outcome>();
    const isMortal = !isFair && world.chance(weather.killed);
    let stepsLeft = isMortal
      ? Math.ceil(world.random() * (world.chance(0.5) ? fewSteps : manySteps))
      : Number.POSITIVE_INFINITY;
    const die = () => {
      environment.isDead = true;
      run.isKilled = true;
      end.resolve({ kind: 'killed' });
    };
    const run: Run = {
      number: counts.invocations,
      functionName: name,
      startedAt: world.now,
      endedAt: undefined,
      isKilled: false,
      hasFailed: false,
      isFair,
      onStep: () => {
        stepsLeft--;
        if (stepsLeft === 0) die();
      },
    };
    this.underWay.add(die);
    onBegin(run);
    environment.thaw(run);
    const deadline = world.now + timeoutMs;
    const timeout = world.after(timeoutMs, () => {
      counts.timedOut++;
      die();
    });
    const context = {
      awsRequestId: `run-${run.number}`,
      functionName: name,
      memoryLimitInMB: String(memoryMb),
      getRemainingTimeInMillis: () => Math.max(0, deadline - world.now),
    };
    this.handle(environment, event, context).then((outcome) => {
      if (isMortal && !run.isKilled) die();
      end.resolve(outcome);
    }, die);
    const outcome = await end.promise;
    this.underWay.delete(die);
    account.busy--;
    world.cancel(timeout);
    run.endedAt = world.now;
    if (run.isKilled) {
      counts.killed++;
      return { kind: 'killed' };
    }
    environment.freeze();
    this.idle.push({ environment, since: world.now });
    return outcome;
  }

  private async handle(environment: Environment, event: object, context: object): Promise<Outcome> {
    try {
      return { kind: 'returned', result: await environment.handler(event, context) };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }

  private free(): Environment | undefined {
    const last = this.idle.pop();
    if (last === undefined || this.surroundings.world.now - last.since < idleMs) return last?.environment;
    // The others have been idle for longer.
    this.restart();
    return undefined;
  }

  private async start(isFair: boolean): Promise<Environment> {
    const { world } = this.surroundings;
    if (!isFair) await world.sleep(coldStartMs);
    return new Environment({ ...this.options, ...this.surroundings });
  }
}
