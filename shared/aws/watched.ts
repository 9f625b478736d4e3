/** Logs what Lambda logs only for failures (ADR 18): invocations near their timeout, cold starts, and memory. */
import type { Context } from 'aws-lambda';
import { nearTimeout } from '../foundation/near-timeout.ts';
import { log } from './log.ts';

/** In MB; not set outside Lambda. */
const memoryMb = Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE);

type Invoked = Pick<Context, 'getRemainingTimeInMillis'>;

/** Wraps a function's handler, and logs when it nears its timeout or memory. Call it last: it measures INIT. */
export const watched = <Event, Given extends Invoked, Result>(
  handler: (event: Event, context: Given) => Promise<Result>,
): ((event: Event, context: Given) => Promise<Result>) => {
  const logMemory = memoryLog(Math.round(performance.now()));
  return async (event, context) => {
    const timeoutMs = context.getRemainingTimeInMillis();
    try {
      return await handler(event, context);
    } finally {
      const durationMs = timeoutMs - context.getRemainingTimeInMillis();
      if (durationMs > nearTimeout * timeoutMs)
        log.warn('near timeout', { duration_ms: durationMs, timeout_ms: timeoutMs });
      logMemory();
    }
  };
};

/** Returns a function that logs peak memory: with `init_ms` first, then at each further tenth of the function's. */
const memoryLog = (initMs: number) => {
  let logged: number | undefined;
  return (): void => {
    if (Number.isNaN(memoryMb)) return;
    const usedMb = Math.round(process.resourceUsage().maxRSS / 1024);
    const tenths = Math.floor((10 * usedMb) / memoryMb);
    if (tenths <= (logged ?? -1)) return;
    log.info('memory used', { used_mb: usedMb, memory_mb: memoryMb, ...(logged === undefined && { init_ms: initMs }) });
    logged = tenths;
  };
};
