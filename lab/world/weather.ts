/** The faults of the simulated world. Shares are from 0 to 1. */
import type { TableWeather } from './dynamodb/table.ts';

export type Service = 'dynamodb' | 'sqs' | 'ses';

export interface Weather extends TableWeather {
  /** Minimum and maximum milliseconds of a request to AWS, without CPU. */
  callMs: readonly [number, number];
  /** Share of the requests: throttled, before any effect. */
  throttled: number;
  /** Share of the commands: throttled in every attempt of the SDK. */
  refused: number;
  /** Share of the requests: answered 500, half of them before the effect and half after it. */
  failed: number;
  /** Share of the requests: the connection is reset, half of them before the effect and half after it. */
  broken: number;
  /** Share of the requests: no answer, half of them without an effect. */
  unanswered: number;
  /** Share of the batches: only a part is carried out. */
  partial: number;
  /** Share of the writes: a conflict with another transaction. */
  conflicts: number;
  /** Share of the invocations: killed at one of their calls, before or after its effect. */
  killed: number;
  /** Share of the messages: delivered twice, at the same time or later. */
  doubled: number;
  /** Share of the messages: received before older ones. */
  reordered: number;
  /** Whether an environment is frozen between two invocations, as on AWS. */
  freezes: boolean;
  /** Whether the pending sockets of an environment that is frozen for long are closed by the other side. */
  closesSockets: boolean;
  /** Maximum difference of the clocks of two environments in ms. */
  skewMs: number;
  /** Services that answer only 503. */
  readonly down: Set<Service>;
}

export const goodWeather = (): Weather => ({
  callMs: [3, 9],
  throttled: 0,
  refused: 0,
  failed: 0,
  broken: 0,
  unanswered: 0,
  partial: 0,
  conflicts: 0,
  killed: 0,
  doubled: 0,
  reordered: 0,
  freezes: true,
  closesSockets: false,
  skewMs: 0,
  ttlLateMs: undefined,
  indexLagMs: [0, 0],
  staleMs: 0,
  down: new Set(),
});

/** Counts each fault, and what is none: requests refused as invalid, and invocations over the account's concurrency. */
export const newCounts = () => ({
  requests: 0,
  throttled: 0,
  refused: 0,
  failed: 0,
  broken: 0,
  unanswered: 0,
  partial: 0,
  conflicts: 0,
  invalid: 0,
  /** Answers that a frozen environment never got. */
  closed: 0,
  expired: 0,
  invocations: 0,
  /** Invocations that the account's concurrency did not allow. */
  overConcurrency: 0,
  killed: 0,
  timedOut: 0,
  doubled: 0,
});

export type Counts = ReturnType<typeof newCounts>;
