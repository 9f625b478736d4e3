/** The measurements of the cost model. `npm --prefix lab run cost -- --measure` writes them; the model and docs/cost.md are calculated from them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { behaviours, type Profile, publishings } from './profiles.ts';

const functionUse = v.object({
  invocations: v.number(),
  /** Their duration on the local stack, which differs from Lambda's. */
  ms: v.number(),
  readUnits: v.number(),
  writeUnits: v.number(),
  queueRequests: v.number(),
});

/** What the deliveries of a profile used. */
const use = v.object({
  receivers: v.picklist(behaviours),
  fanOut: v.number(),
  payloadKb: v.number(),
  publishing: v.picklist(publishings),
  events: v.number(),
  deliveries: v.number(),
  /** Requests that a receiver answered with 200, and all others. */
  delivered: v.number(),
  refused: v.number(),
  /** Bytes of all requests to receivers, without TLS. */
  transferBytes: v.number(),
  /** Bytes of the functions' own log lines, without the platform's. */
  logBytes: v.number(),
  /** Bytes of deliveries and events in the table, with DynamoDB's overhead. */
  historyBytes: v.number(),
  functions: v.record(v.string(), functionUse),
});

/** The mean duration of a function under the CPU share of its memory. */
const duration = v.object({
  function: v.string(),
  payloadKb: v.number(),
  /** The size of the work: deliveries in a batch, subscribers of an event, events in a request, or 1. */
  units: v.number(),
  memoryMb: v.number(),
  ms: v.number(),
});

/** What calls to an endpoint used. */
const callUse = v.object({
  function: v.string(),
  calls: v.number(),
  readUnits: v.number(),
  writeUnits: v.number(),
  queueRequests: v.number(),
  logBytes: v.number(),
  responseBytes: v.number(),
});

const schema = v.object({
  date: v.string(),
  revision: v.string(),
  profiles: v.array(use),
  durations: v.array(duration),
  calls: v.array(callUse),
});

export type FunctionUse = v.InferOutput<typeof functionUse>;
export type Use = v.InferOutput<typeof use>;
export type CallUse = v.InferOutput<typeof callUse>;
export type Duration = v.InferOutput<typeof duration>;
export type Measured = v.InferOutput<typeof schema>;

const file = join(import.meta.dirname, 'measured.json');

export const readMeasured = (): Measured => v.parse(schema, JSON.parse(readFileSync(file, 'utf8')));

export const writeMeasured = (measured: Measured): void =>
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);

export const isProfile = (one: Profile, other: Profile): boolean =>
  one.receivers === other.receivers &&
  one.fanOut === other.fanOut &&
  one.payloadKb === other.payloadKb &&
  one.publishing === other.publishing;
