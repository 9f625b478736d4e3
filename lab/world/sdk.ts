/** The AWS SDK between a function and a service: requests that take time and fail, with its retries and timeouts. */
import { awsError } from './dynamodb/errors.ts';
import type { Environment } from './environment.ts';
import type { Service } from './weather.ts';

/** The options of an SDK client that matter here. */
export interface ClientOptions {
  readonly maxAttempts?: number;
  readonly requestHandler?: {
    readonly requestTimeout?: number;
    readonly socketTimeout?: number;
    readonly throwOnRequestTimeout?: boolean;
  };
}

/** The product's middleware is for slow requests of people, which the simulation does not have. */
export const middlewareStack = { addRelativeTo: () => {}, remove: () => true };

/** The part of a client's config that the product changes: its last attempt waits longer, but not here. */
export const config = { requestHandler: { handle: async () => ({}) } };

/** One sent command. */
export interface Command<Result> {
  /** The name without `Command`, such as `PutItem`. */
  readonly isWrite: boolean;
  /** The number of its items or messages, which cost CPU. */
  readonly size: number;
  /** Carries it out in the service. @throws the error of the service */
  readonly effect: () => Result;
  /** The service's error for a conflict with a transaction; undefined if it has none. */
  readonly conflict?: () => Error;
}

/** Milliseconds of a whole vCPU per request, and per item or message in it (lab/reports/simulation.md). */
const requestCpuMs = 0.75;
const memberCpuMs = 0.02;

/** Milliseconds, tokens and times of the SDK's standard retries (@smithy/core 3.3x, `util-retry`). */
const transient = { baseMs: 50, cost: 14 };
const throttling = { baseMs: 1000, cost: 5 };
const maxBackoffMs = 20_000;
const fullCapacity = 500;

const throttlingErrors = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
  'RequestThrottled',
];

export class Client {
  private readonly environment: Environment;
  private readonly service: Service;
  private readonly maxAttempts: number;
  private readonly timeoutMs: number;
  private capacity = fullCapacity;

  constructor(environment: Environment, service: Service, { maxAttempts, requestHandler = {} }: ClientOptions) {
    const { requestTimeout, socketTimeout, throwOnRequestTimeout } = requestHandler;
    this.environment = environment;
    this.service = service;
    this.maxAttempts = maxAttempts ?? (service === 'dynamodb' ? 4 : 3);
    // The SDK only logs a warning after `requestTimeout`, unless it is configured to throw.
    this.timeoutMs = Math.min(
      socketTimeout || Number.POSITIVE_INFINITY,
      (throwOnRequestTimeout === true && requestTimeout) || Number.POSITIVE_INFINITY,
    );
  }

  /** Sends a command, with retries. @throws the SDK's error after the last retry, or the service's refusal */
  async send<Result>(command: Command<Result>): Promise<Result> {
    const { world, weather, counts, isFair } = this.environment;
    const isRefused = !isFair && world.chance(weather.refused);
    if (isRefused) counts.refused++;
    let refund = 1;
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.request(command, isRefused);
        this.capacity = Math.min(fullCapacity, this.capacity + refund);
        return result;
      } catch (error) {
        const kind = retryOf(error as Error);
        if (kind === undefined || attempt >= this.maxAttempts || this.capacity < kind.cost) {
          if (this.environment.run !== undefined) this.environment.run.hasFailed = true;
          throw error;
        }
        this.capacity -= kind.cost;
        refund = kind.cost;
        await this.environment.sleep(
          Math.floor(world.random() * Math.min(kind.baseMs * 2 ** (attempt - 1), maxBackoffMs)),
        );
      }
    }
  }

  private request<Result>(command: Command<Result>, isRefused: boolean): Promise<Result> {
    const { environment, timeoutMs } = this;
    const { world, weather, counts } = environment;
    counts.requests++;
    return new Promise((resolve, reject) => {
      if (environment.step()) return;
      const cpuMs = environment.work(requestCpuMs + command.size * memberCpuMs);
      const wayMs = world.between(...weather.callMs) / 2;
      const timeout =
        timeoutMs < Number.POSITIVE_INFINITY
          ? environment.later(cpuMs + timeoutMs, () => reject(timedOut(timeoutMs)))
          : undefined;
      // A sent request arrives even if the environment is killed.
      world.after(cpuMs + wayMs, () => {
        const answer = this.answer(command, isRefused);
        if (answer === undefined) return;
        const receive = (act: () => void) => () => {
          if (environment.step()) return;
          world.cancel(timeout);
          act();
        };
        environment.receive(
          wayMs,
          receive(() => answer(resolve, reject)),
          receive(() => reject(hungUp())),
        );
      });
    });
  }

  /** Carries out a request unless a fault prevents it; undefined if there is no answer. */
  private answer<Result>(
    { effect, isWrite, conflict }: Command<Result>,
    isRefused: boolean,
  ): ((resolve: (result: Result) => void, reject: (error: unknown) => void) => void) | undefined {
    const { world, weather, counts, isFair } = this.environment;
    const refuse = (error: Error) => (_resolve: unknown, reject: (error: unknown) => void) => reject(error);
    if (weather.down.has(this.service)) return refuse(awsError('ServiceUnavailable', 'Service is unavailable', 503));
    if (isRefused) return refuse(this.tooMany());
    const draw = isFair ? 1 : world.random();
    const until = { failed: weather.failed, broken: 0, unanswered: 0, throttled: 0, conflicts: 0 };
    until.broken = until.failed + weather.broken;
    until.unanswered = until.broken + weather.unanswered;
    until.throttled = until.unanswered + weather.throttled;
    until.conflicts = until.throttled + (isWrite && conflict ? weather.conflicts : 0);
    const kind = (Object.keys(until) as (keyof typeof until)[]).find((name) => draw < until[name]);
    if (kind !== undefined) counts[kind]++;
    if (kind === 'throttled') return refuse(this.tooMany());
    if (kind === 'conflicts' && conflict !== undefined) return refuse(conflict());
    const hasEffect = kind === undefined || world.chance(0.5);
    let outcome: { readonly result: Result } | { readonly error: unknown } | undefined;
    if (hasEffect)
      try {
        outcome = { result: effect() };
      } catch (error) {
        if ((error as Error).name === 'ValidationException') counts.invalid++;
        outcome = { error };
      }
    if (kind === 'unanswered') return undefined;
    if (kind === 'failed') return refuse(awsError('InternalServerError', 'Internal server error', 500));
    if (kind === 'broken') return refuse(hungUp());
    return (resolve, reject) => {
      if (outcome !== undefined && 'result' in outcome) resolve(outcome.result);
      else reject(outcome?.error);
    };
  }

  private tooMany(): Error {
    return this.service === 'dynamodb'
      ? awsError(
          'ProvisionedThroughputExceededException',
          'The level of configured provisioned throughput was exceeded.',
        )
      : awsError('RequestThrottled', 'The request was denied due to request throttling.', 403);
  }
}

const hungUp = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

const timedOut = (ms: number): Error =>
  Object.assign(new Error(`a request has exceeded the configured ${ms} ms requestTimeout.`), {
    name: 'TimeoutError',
    code: 'ETIMEDOUT',
  });

/** Returns how the SDK retries an error; undefined if it does not. */
const retryOf = (error: Error): typeof transient | undefined => {
  if (throttlingErrors.includes(error.name)) return throttling;
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: string };
  if ([500, 502, 503, 504].includes($metadata?.httpStatusCode ?? 0)) return transient;
  return code === 'ECONNRESET' || error.name === 'TimeoutError' ? transient : undefined;
};
