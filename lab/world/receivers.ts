/** The customers' receivers, which replace the sender: they respond as configured; the ledger records each request. */
import type { SendResult } from '../../shared/deliveries/sender/result.ts';
import type { SenderOptions, SendRequest } from '../../shared/deliveries/sender/send.ts';
import { type Modules, senderModule } from './bundle.ts';
import { OriginConnections } from './connections.ts';
import type { Environment } from './environment.ts';
import type { Ledger, Post } from './ledger.ts';

export type Behaviour =
  | { readonly status: number; readonly ms: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly error: 'connect' | 'reset' | 'dns'; readonly ms: number }
  | 'hang';

export interface Receivers {
  /** Returns the response of a post's receiver. */
  behave: (post: Post) => Behaviour;
  readonly ledger: Ledger;
}

/** Milliseconds of a whole vCPU that an attempt takes without its requests to AWS (lab/reports/simulation.md). */
const postCpuMs = 0.2;

const timings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

/** Returns the module of the sender for an environment. */
export const senderModules = (environment: Environment, receivers: Receivers): Modules => {
  const createSender = ({ concurrencyPerReceiver = 10 }: Pick<SenderOptions, 'concurrencyPerReceiver'>) => {
    const connections = new OriginConnections(environment, concurrencyPerReceiver);
    const send = (request: SendRequest): Promise<SendResult> =>
      new Promise((resolve) => {
        if (environment.step()) return;
        const { origin } = new URL(request.url);
        const settle = (result: SendResult) => {
          if (environment.step()) return;
          connections.release(origin);
          resolve(result);
        };
        const begin = async (hasWaited: boolean): Promise<void> => {
          const { isStillWanted = async () => true } = request;
          if (hasWaited && !(await isStillWanted().catch(() => false))) settle(failure('busy', 0));
          else post(environment, receivers, request, until, settle);
        };
        const waitMs = Math.min(request.timeoutMs, request.startWithinMs ?? request.timeoutMs);
        const until = request.startWithinMs === undefined ? Number.POSITIVE_INFINITY : environment.world.now + waitMs;
        connections.acquire(origin, waitMs, begin, () => {
          if (!environment.step()) resolve(failure('busy', waitMs));
        });
      });
    return { send };
  };
  return { [senderModule]: { createSender } };
};

const failure = (error: 'busy' | 'connect' | 'reset' | 'dns' | 'timeout', ms: number): SendResult => ({
  outcome: 'failed',
  error,
  durationMs: ms,
  timings,
});

/** Sends a request over a free connection, unless it is later than `until`. */
const post = (
  environment: Environment,
  { behave, ledger }: Receivers,
  request: SendRequest,
  until: number,
  settle: (result: SendResult) => void,
): void => {
  const { run, world } = environment;
  if (run === undefined) return;
  const { timeoutMs } = request;
  const end = (ms: number, result: SendResult) =>
    environment.receive(
      ms,
      () => settle(result),
      () => settle(failure('reset', ms)),
    );
  const fail = (error: 'connect' | 'reset' | 'dns' | 'timeout', ms: number) => end(ms, failure(error, ms));
  // A sent request arrives even if the environment is killed.
  world.after(environment.work(postCpuMs), () => {
    // The sender looks once more before it writes.
    if (world.now > until) return end(0, failure('busy', 0));
    request.onReceiverTime?.();
    const arrived = ledger.postOf(request, run, world.now);
    const behaviour = behave(arrived);
    if (behaviour === 'hang') {
      ledger.arrive(arrived, undefined);
      fail('timeout', timeoutMs);
    } else if ('error' in behaviour) {
      if (behaviour.error === 'reset') ledger.arrive(arrived, undefined);
      else ledger.miss(arrived);
      fail(behaviour.error, Math.min(behaviour.ms, timeoutMs));
    } else {
      const { status, ms, headers = {} } = behaviour;
      ledger.arrive(arrived, behaviour);
      if (ms > timeoutMs) fail('timeout', timeoutMs);
      else
        end(ms, {
          outcome: 'answered',
          status,
          headers,
          excerpt: '',
          durationMs: ms,
          timings,
        });
    }
  });
};
