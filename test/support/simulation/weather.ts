/** How bad the world is: which share of everything goes wrong, and in which way. Shares are from 0 to 1. */
import type { TableWeather } from './dynamodb/table.ts';

export type Service = 'dynamodb' | 'sqs' | 'ses';

export interface Weather extends TableWeather {
  /** Milliseconds that a request to AWS takes beside the CPU, at least and at most. */
  callMs: readonly [number, number];
  /** Of the requests: refused as too many, before any effect. */
  throttled: number;
  /** Of the commands: refused as too many in every attempt of the SDK. */
  refused: number;
  /** Of the requests: answered 500, half of them before the effect and half after it. */
  failed: number;
  /** Of the requests: the connection breaks, half of the times before the effect and half after it. */
  broken: number;
  /** Of the requests: no answer ever comes, half of the times without an effect. */
  unanswered: number;
  /** Of the batches: only some of it is carried out. */
  partial: number;
  /** Of the writes: they meet another transaction. */
  conflicts: number;
  /** Of the invocations: killed at one of their calls, before or after its effect. */
  killed: number;
  /** Of the messages: shown a second time, at the same time or later. */
  doubled: number;
  /** Of the messages: received before others that are older. */
  reordered: number;
  /** Milliseconds by which the clocks of two environments differ at most. */
  skewMs: number;
  /** Services that answer nothing but 503. */
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
  skewMs: 0,
  indexLagMs: [0, 0],
  staleMs: 0,
  down: new Set(),
});

/** Counts how often what happened. */
export const newCounts = () => ({
  requests: 0,
  throttled: 0,
  refused: 0,
  failed: 0,
  broken: 0,
  unanswered: 0,
  partial: 0,
  conflicts: 0,
  invocations: 0,
  killed: 0,
  timedOut: 0,
  doubled: 0,
});

export type Counts = ReturnType<typeof newCounts>;
