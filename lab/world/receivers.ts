/** The customers' receivers, which replace the sender: they respond as configured, and the ledger records each request. */
import type { SendResult } from '../../shared/deliveries/sender/result.ts';
import type { SendRequest } from '../../shared/deliveries/sender/send.ts';
import { senderModule } from './bundle.ts';
import type { Environment, Modules } from './environment.ts';
import type { Ledger, Post } from './ledger.ts';

/** The response of a receiver. */
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
  const { world } = environment;
  const { ledger } = receivers;
  const send = (request: SendRequest): Promise<SendResult> =>
    new Promise((resolve) => {
      const { run } = environment;
      if (environment.step() || run === undefined) return;
      const { timeoutMs } = request;
      const cpuMs = environment.work(postCpuMs);
      const end = (afterMs: number, result: SendResult) =>
        environment.later(afterMs, () => {
          if (!environment.step()) resolve(result);
        });
      const fail = (error: 'connect' | 'reset' | 'dns' | 'timeout', ms: number) =>
        end(ms, { outcome: 'failed', error, message: error, durationMs: ms, answerMs: ms, timings });
      // A sent request arrives even if the environment is killed.
      world.after(cpuMs, () => {
        request.onReceiverTime?.();
        const post = ledger.postOf(request, run, world.now);
        const behaviour = receivers.behave(post);
        if (behaviour === 'hang') {
          ledger.arrive(post, undefined);
          fail('timeout', timeoutMs);
        } else if ('error' in behaviour) {
          if (behaviour.error === 'reset') ledger.arrive(post, undefined);
          fail(behaviour.error, Math.min(behaviour.ms, timeoutMs));
        } else {
          const { status, ms, headers = {} } = behaviour;
          ledger.arrive(post, behaviour);
          if (ms > timeoutMs) fail('timeout', timeoutMs);
          else
            end(ms, {
              outcome: 'answered',
              status,
              headers,
              excerpt: '',
              complete: true,
              durationMs: ms,
              answerMs: ms,
              timings,
            });
        }
      });
    });
  return { [senderModule]: { createSender: () => ({ send, close: async () => {} }) } };
};
