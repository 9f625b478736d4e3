/** Lambda in an account: concurrent executions, the growth of a function's environments and of a queue's pollers, and failed batches. */
import type { Clock } from './clock.ts';
import { type LimitName, type Limits, type Reached, scaling } from './limits.ts';
import type { FairQueue, Taken } from './queue.ts';

export class Account {
  busy = 0;
  private readonly clock: Clock;
  private readonly limits: Pick<Limits, 'concurrency'>;
  private readonly reached: Reached;

  constructor(clock: Clock, limits: Pick<Limits, 'concurrency'>, reached: Reached) {
    this.clock = clock;
    this.limits = limits;
    this.reached = reached;
  }

  /** Returns whether one more execution may run, or `count` at once. */
  begin(count = 1): boolean {
    if (this.busy + count > this.limits.concurrency) {
      this.reached.note('concurrency', this.clock.now);
      return false;
    }
    this.busy += count;
    return true;
  }

  end(count = 1): void {
    this.busy -= count;
  }
}

/** The environments of one function: at most 1,000 more every 10 s, refilled continuously. */
export class Environments {
  private warm = 0;
  private busy = 0;
  private allowance: number = scaling.environmentsIn10Seconds;
  private refilledAt = 0;
  private readonly clock: Clock;
  private readonly reached: Reached;

  constructor(clock: Clock, reached: Reached) {
    this.clock = clock;
    this.reached = reached;
  }

  /** Returns the ms that a start takes, 0 in a warm environment, or undefined if none may start now. */
  begin(coldMs: number): number | undefined {
    const { now } = this.clock;
    const most = scaling.environmentsIn10Seconds;
    this.allowance = Math.min(most, this.allowance + ((now - this.refilledAt) * most) / 10_000);
    this.refilledAt = now;
    if (this.busy < this.warm) {
      this.busy++;
      return 0;
    }
    if (this.allowance < 1) {
      this.reached.note('environments', now);
      return undefined;
    }
    this.allowance--;
    this.warm++;
    this.busy++;
    return coldMs;
  }

  end(): void {
    this.busy--;
  }
}

export interface SourceOptions {
  readonly clock: Clock;
  readonly queue: FairQueue;
  readonly account: Account;
  readonly environments: Environments;
  readonly reached: Reached;
  readonly batchSize: number;
  readonly maxConcurrency: number;
  /** The limit that `maxConcurrency` is. */
  readonly limit: LimitName;
  readonly coldMs: number;
  /** Processes a batch, beginning `startMs` from now, and calls `end` once. */
  readonly work: (batch: readonly Taken[], startMs: number, end: (isFailed: boolean) => void) => void;
  /** Is called when a batch is done. */
  readonly onDone: (batch: readonly Taken[]) => void;
}

/** Milliseconds after which a throttled invocation is tried again. */
const throttledMs = 1000;
/** Seconds for which messages wait while all batches are busy, until that counts as a limit. */
const lastingSeconds = 10;

/**
 * Makes the work of batches whose duration is known when they begin.
 * @param msOf milliseconds that a batch takes; undefined if the table refused its writes, so that it fails
 */
export const workOf =
  (clock: Clock, msOf: (batch: readonly Taken[]) => number | undefined): SourceOptions['work'] =>
  (batch, startMs, end) => {
    const ms = msOf(batch);
    clock.after(startMs + (ms ?? throttledMs), () => end(ms === undefined));
  };

/** Lambda's pollers of one queue: five at first, up to 300 more a minute while messages wait, up to the maximum concurrency. */
export class Source {
  busy = 0;
  failed = 0;
  throttled = 0;
  private pollers: number;
  private isThrottled = false;
  private readonly options: SourceOptions;

  constructor(options: SourceOptions, untilMs: number) {
    this.options = options;
    const { clock, queue, maxConcurrency, reached, limit } = options;
    this.pollers = Math.min(scaling.firstPollers, maxConcurrency);
    queue.onReady = () => this.fill();
    let [fullSeconds, secondsAtMost] = [0, 0];
    clock.every(1000, untilMs, () => {
      const isFull = queue.visible > 0 && this.busy >= Math.floor(this.pollers);
      fullSeconds = isFull ? fullSeconds + 1 : 0;
      secondsAtMost = isFull && this.pollers >= maxConcurrency ? secondsAtMost + 1 : 0;
      const since = clock.now - lastingSeconds * 1000;
      if (secondsAtMost === lastingSeconds) reached.note(limit, since);
      else if (fullSeconds === lastingSeconds) reached.note('pollers', since);
      if (!isFull) return;
      this.pollers = Math.min(maxConcurrency, this.pollers + scaling.pollersAMinute / 60);
      this.fill();
    });
  }

  private fill(): void {
    const { queue, account, environments, coldMs, batchSize } = this.options;
    while (this.busy < Math.floor(this.pollers) && queue.visible > 0 && !this.isThrottled) {
      if (queue.inFlight >= scaling.inFlight) return;
      if (!account.begin()) {
        this.pause();
        return;
      }
      const startMs = environments.begin(coldMs);
      if (startMs === undefined) {
        account.end();
        this.pause();
        return;
      }
      this.busy++;
      const batch = queue.receive(batchSize);
      this.options.work(batch, startMs, (isFailed) => this.end(batch, isFailed));
    }
  }

  private pause(): void {
    this.throttled++;
    this.isThrottled = true;
    this.options.clock.after(throttledMs, () => {
      this.isThrottled = false;
      this.fill();
    });
  }

  private end(batch: readonly Taken[], isFailed: boolean): void {
    const { queue, account, environments, onDone } = this.options;
    this.busy--;
    account.end();
    environments.end();
    if (isFailed) {
      this.failed++;
      for (const { group, count } of batch) queue.send(group, count, scaling.visibilityMs);
    } else onDone(batch);
    queue.end(batch);
    this.fill();
  }
}
