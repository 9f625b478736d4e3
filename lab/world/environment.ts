/**
 * One environment of a Lambda function: its own module graph, with the world's clock, timers and random numbers.
 * Between invocations it is frozen, as on AWS: timers do not fire, and answers wait. A kill loses its memory.
 */
import nodeCrypto from 'node:crypto';
import { cpusOf } from '../../test/support/function-memory.ts';
import type { Task } from './agenda.ts';
import type { Bundle, Modules } from './bundle.ts';
import type { Run } from './run.ts';
import type { Counts, Weather } from './weather.ts';
import type { World } from './world.ts';

interface Setting {
  readonly world: World;
  readonly weather: Weather;
  readonly counts: Counts;
  readonly bundle: Bundle;
  readonly memoryMb: number;
  readonly variables: Readonly<Record<string, string>>;
  /** Makes the modules that replace AWS and the receivers. */
  readonly modules: (environment: Environment) => Modules;
  readonly onLine: (line: string) => void;
}

/** Milliseconds after which the other side closes a connection whose data nobody acknowledges. */
const socketPatienceMs = 20_000;

export class Environment {
  readonly world: World;
  readonly weather: Weather;
  readonly counts: Counts;
  readonly handler: (event: unknown, context: unknown) => Promise<unknown>;
  run: Run | undefined;
  isDead = false;
  private readonly parked: (() => void)[] = [];
  private readonly cpuShare: number;
  private readonly skewMs: number;
  private busyUntil = 0;

  constructor(setting: Setting) {
    const { world, weather } = setting;
    this.world = world;
    this.weather = weather;
    this.counts = setting.counts;
    this.cpuShare = Math.min(1, cpusOf(setting.memoryMb));
    this.skewMs = weather.skewMs === 0 ? 0 : world.between(-weather.skewMs / 2, weather.skewMs / 2);
    const modules = { ...this.builtins(), ...setting.modules(this) };
    this.handler = setting.bundle.load(modules, this.globals(setting)).handler;
  }

  get isFair(): boolean {
    return this.run === undefined || this.run.isFair;
  }

  /** Returns true if the invocation is killed at this call, or was killed before. */
  step(): boolean {
    this.run?.onStep();
    return this.isDead;
  }

  /** Occupies the CPU for the ms of a whole vCPU, after its current work; returns the ms until its end. */
  work(ms: number): number {
    const { now } = this.world;
    this.busyUntil = Math.max(now, this.busyUntil) + ms / this.cpuShare;
    return this.busyUntil - now;
  }

  /** Runs an action after a delay in ms: later if the environment is frozen then, never if it was killed. */
  later(ms: number, act: () => void): Task {
    const task = this.world.after(ms, () => {
      if (this.isDead) return;
      if (this.run === undefined) {
        // An action that was cancelled while it waited must not run.
        task.act = act;
        this.parked.push(() => task.act?.());
      } else act();
    });
    return task;
  }

  /**
   * Receives an answer after a delay in ms. While the environment is frozen it waits in the socket, which the other
   * side closes after a while: then the environment finds a closed connection instead.
   */
  receive(ms: number, onAnswer: () => void, onClosed: () => void): void {
    const comesAt = this.world.now + ms;
    this.later(ms, () => {
      if (!this.weather.closesSockets || this.world.now - comesAt < socketPatienceMs) return onAnswer();
      this.counts.closed++;
      onClosed();
    });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.later(ms, resolve);
    });
  }

  /** Starts an invocation; actions that waited while it was frozen run first. */
  thaw(run: Run): void {
    this.run = run;
    for (const act of this.parked.splice(0)) act();
  }

  freeze(): void {
    if (this.weather.freezes) this.run = undefined;
  }

  private readonly timer = (act: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): Timer =>
    new Timer(this.later(ms, () => act(...values)));

  private clock(): number {
    return Math.floor(this.world.now + this.skewMs);
  }

  private builtins(): Modules {
    const { world } = this;
    const randomBytes = (count: number) => Buffer.from(Array.from({ length: count }, () => world.entropy() * 256));
    return {
      'node:crypto': { ...nodeCrypto, randomBytes, randomUUID: () => randomBytes(16).toString('hex') },
      'node:timers': { setTimeout: this.timer },
      'node:timers/promises': { setTimeout: (ms: number) => this.sleep(ms) },
    };
  }

  /** The replacements of Node's globals for time, random numbers and the process. */
  private globals({ variables, onLine }: Setting): Readonly<Record<string, unknown>> {
    const { world } = this;
    const clock = () => this.clock();
    class SimulatedDate extends Date {
      constructor(...values: [] | [string | number | Date]) {
        super(...((values.length === 0 ? [clock()] : values) as [number]));
      }

      static override now(): number {
        return clock();
      }
    }
    const write = (line: string) => {
      onLine(line);
      return true;
    };
    const clearTimeout = (timer: Timer | undefined) => timer?.clear();
    return {
      Date: SimulatedDate,
      Math: Object.assign(Object.create(Math), { random: world.random }),
      performance: { now: () => world.now, eventLoopUtilization: () => ({ idle: world.now }) },
      process: { env: variables, stdout: { write }, stderr: { write } },
      setTimeout: this.timer,
      clearTimeout,
      setInterval: undefined,
      setImmediate: (act: (...values: unknown[]) => void, ...values: unknown[]) => this.timer(act, 0, ...values),
      fetch: undefined,
    };
  }
}

class Timer {
  private readonly task: Task;

  constructor(task: Task) {
    this.task = task;
  }

  clear(): void {
    this.task.act = undefined;
  }

  unref(): this {
    return this;
  }

  ref(): this {
    return this;
  }
}
