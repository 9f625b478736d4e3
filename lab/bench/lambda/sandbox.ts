/** One environment of a function: a process that imports a bundle and runs one event at a time, as Lambda's runtime does. */
import { randomUUID } from 'node:crypto';

/** What the process reports. */
export type Report =
  | { readonly kind: 'ready'; readonly initMs: number; readonly initCpuMs: number }
  | {
      readonly kind: 'done';
      readonly ms: number;
      readonly cpuMs: number;
      readonly rssMb: number;
      readonly error?: string;
    };

/** An event to run, and the seconds until its timeout. */
export interface Job {
  readonly event: unknown;
  readonly seconds: number;
}

const [bundle = ''] = process.argv.slice(2);
const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
const report = (message: Report): void => void process.send?.(message);

const before = process.cpuUsage();
const began = performance.now();
const { handler } = await import(bundle);
report({ kind: 'ready', initMs: performance.now() - began, initCpuMs: cpuMs(process.cpuUsage(before)) });

/** Returns why a result counts as a failure; undefined for a success. */
const errorIn = (result: unknown): string | undefined => {
  const { statusCode, body, batchItemFailures } = (result ?? {}) as {
    statusCode?: number;
    body?: string;
    batchItemFailures?: readonly unknown[];
  };
  if (statusCode !== undefined && statusCode >= 400) return `${statusCode} ${body}`;
  return batchItemFailures !== undefined && batchItemFailures.length > 0
    ? `${batchItemFailures.length} messages failed`
    : undefined;
};

process.on('message', async ({ event, seconds }: Job) => {
  const cpu = process.cpuUsage();
  const from = performance.now();
  const context = {
    awsRequestId: randomUUID(),
    functionName: bundle,
    memoryLimitInMB: '0',
    getRemainingTimeInMillis: () => seconds * 1000 - (performance.now() - from),
  };
  let error: string | undefined;
  try {
    error = errorIn(await handler(event, context));
  } catch (thrown) {
    error = String(thrown);
  }
  report({
    kind: 'done',
    ms: performance.now() - from,
    cpuMs: cpuMs(process.cpuUsage(cpu)),
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
    ...(error !== undefined && { error }),
  });
});
process.on('disconnect', () => process.exit());
