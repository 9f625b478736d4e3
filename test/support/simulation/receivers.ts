/** Receivers in the simulated world, in the place of `shared/deliveries/sender/send.ts`: they answer as they are told, and remember what came. */
import type { SendRequest, SendResult } from '../../../shared/deliveries/sender/send.ts';
import { isDead, world } from './world.ts';

/** What a receiver does with a request. */
export type Behaviour =
  | { readonly status: number; readonly ms: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly error: 'connect' | 'reset' | 'dns'; readonly ms: number }
  | 'hang';

export interface Arrival {
  readonly at: number;
  /** When the run that posted it began. */
  readonly runStartedAt: number;
  readonly status: number | undefined;
}

/** By delivery. */
export const arrivals = new Map<string, Arrival[]>();

/** How each receiver behaves just now; `url` is the target. */
export const receivers: { behave: (url: string, now: number) => Behaviour } = {
  behave: () => ({ status: 200, ms: 10 }),
};

const timings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

const send = async ({ url, headers, timeoutMs }: SendRequest): Promise<SendResult> => {
  const { run } = world();
  const never = new Promise<never>(() => {});
  run?.onStep();
  if (isDead(run)) return never;
  const behaviour = receivers.behave(url, world().now);
  const failed = (error: 'connect' | 'reset' | 'dns' | 'timeout', durationMs: number): SendResult => ({
    outcome: 'failed',
    error,
    message: error,
    durationMs,
    timings,
  });
  const arrive = (status: number | undefined) => {
    const id = headers['webhook-id'] ?? '';
    const known = arrivals.get(id) ?? [];
    arrivals.set(id, known);
    known.push({ at: world().now, runStartedAt: run?.startedAt ?? 0, status });
  };
  if (behaviour === 'hang') {
    arrive(undefined);
    await world().sleep(timeoutMs);
    return failed('timeout', timeoutMs);
  }
  if ('error' in behaviour) {
    await world().sleep(Math.min(behaviour.ms, timeoutMs));
    return failed(behaviour.error, behaviour.ms);
  }
  const { status, ms, headers: answer = {} } = behaviour;
  // On its way, then at work, then on its way back.
  await world().sleep(Math.min(ms, timeoutMs) / 3);
  arrive(status);
  await world().sleep((Math.min(ms, timeoutMs) * 2) / 3);
  run?.onStep();
  if (isDead(run)) return never;
  if (ms > timeoutMs) return failed('timeout', timeoutMs);
  return { outcome: 'answered', status, headers: answer, excerpt: '', complete: true, durationMs: ms, timings };
};

export const createSender = () => ({ send });
