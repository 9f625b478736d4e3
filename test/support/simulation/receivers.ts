/** The customers' receivers, in the place of the sender: they answer as they are asked to, and the ledger notes what came. */
import type { SendResult } from '../../../shared/deliveries/sender/result.ts';
import type { SendRequest } from '../../../shared/deliveries/sender/send.ts';
import { senderModule } from './bundle.ts';
import type { Environment, Modules } from './environment.ts';
import type { Ledger, Post } from './ledger.ts';

/** What a receiver does with a request. */
export type Behaviour =
  | { readonly status: number; readonly ms: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly error: 'connect' | 'reset' | 'dns'; readonly ms: number }
  | 'hang';

export interface Receivers {
  /** Returns what the receiver of a post does with it. */
  behave: (post: Post) => Behaviour;
  readonly ledger: Ledger;
}

/** Milliseconds of a whole vCPU that an attempt takes beside the requests to AWS: signature, sending, judging (measured: docs/simulation.md). */
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
        end(ms, { outcome: 'failed', error, message: error, durationMs: ms, timings });
      // What has left the environment arrives, whatever becomes of the environment.
      world.after(cpuMs, () => {
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
          else end(ms, { outcome: 'answered', status, headers, excerpt: '', complete: true, durationMs: ms, timings });
        }
      });
    });
  return { [senderModule]: { createSender: () => ({ send, close: async () => {} }) } };
};
