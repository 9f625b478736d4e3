/** What deliveries use, as the local stack counts it: `npm --prefix lab run bench -- units units-wide` counts again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const functionUse = v.object({
  invocations: v.number(),
  /** Under Lambda's share of a CPU, with ten deliveries, measured at revision b1897c66. Fifty take five times that. */
  ms: v.number(),
  readUnits: v.number(),
  writeUnits: v.number(),
  queueRequests: v.number(),
});

const use = v.object({
  date: v.string(),
  revision: v.string(),
  /** Each event has a payload of 2 KB, and is published on its own. */
  events: v.number(),
  deliveries: v.number(),
  answerMs: v.number(),
  /** Bytes of all requests to receivers, without TLS. */
  transferBytes: v.number(),
  /** Bytes of the functions' own log lines, without the platform's. */
  logBytes: v.number(),
  /** Bytes of deliveries and events in the table with DynamoDB's overhead: 311 per delivery, 1,500 per event. */
  historyBytes: v.number(),
  functions: v.record(v.string(), functionUse),
});

export type Use = v.InferOutput<typeof use>;

/** Returns what was counted with ten and with a thousand subscribers of each event. */
export const readUse = (): { readonly ten: Use; readonly thousand: Use } =>
  v.parse(
    v.object({ ten: use, thousand: use }),
    JSON.parse(readFileSync(join(import.meta.dirname, 'use.json'), 'utf8')),
  );
