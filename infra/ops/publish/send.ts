/** Sends batches of events, several requests at a time. */
import type { Caller } from '../../command-line/client.ts';
import { RequestError, request } from '../api/request.ts';
import { read } from '../api/resources.ts';
import type { Identified } from './batches.ts';

type Accepted = ReturnType<typeof read.events>[number];

interface Sending {
  readonly caller: Caller;
  readonly concurrency: number;
  readonly keepGoing: boolean;
  readonly stopped: AbortSignal;
  onAccepted(events: readonly Accepted[], sum: number): void;
  onRefused(message: string): void;
}

export interface Outcome {
  readonly accepted: number;
  readonly refused: number;
  readonly failure?: Error;
}

/** Sends all batches. The first failure ends it once the requests in progress have ended. */
export const sendAll = async (batches: AsyncGenerator<readonly Identified[]>, sending: Sending): Promise<Outcome> => {
  let accepted = 0;
  let refused = 0;
  let failure: Error | undefined;
  const worker = async () => {
    while (failure === undefined && !sending.stopped.aborted) {
      const { value: batch, done } = await batches.next();
      if (done) return;
      const sent = await sendBatch(batch, sending);
      accepted += sent.accepted.length;
      refused += sent.refused;
      if (sent.accepted.length > 0) sending.onAccepted(sent.accepted, accepted);
    }
  };
  const guarded = () =>
    worker().catch((error: unknown) => {
      failure ??= error instanceof Error ? error : new Error(String(error));
    });
  await Promise.all(Array.from({ length: sending.concurrency }, guarded));
  return { accepted, refused, ...(failure !== undefined && { failure }) };
};

/** Sends a batch. With `keepGoing`, sends it again without the refused events. @throws RequestError */
const sendBatch = async (
  batch: readonly Identified[],
  { caller, keepGoing, onRefused }: Sending,
): Promise<{ readonly accepted: readonly Accepted[]; readonly refused: number }> => {
  let left = batch;
  while (left.length > 0) {
    try {
      const body = { events: left.map(({ event }) => event) };
      const answer = await request(caller, 'POST', '/admin/events/', body, { isHarmless: true });
      return { accepted: read.events(answer), refused: batch.length - left.length };
    } catch (error) {
      const items = itemsOf(error, left);
      if (!(error instanceof RequestError) || items.length === 0) throw error;
      const message = `${items.map(({ place }) => place).join(', ')}: ${error.message}`;
      if (!keepGoing) throw new RequestError(message, error.exitCode, error.status);
      onRefused(message);
      left = left.filter((one) => !items.includes(one));
    }
  }
  return { accepted: [], refused: batch.length };
};

/** Returns the events that a refusal is about: the ones that it names, or the only one. */
const itemsOf = (error: unknown, batch: readonly Identified[]): readonly Identified[] => {
  if (!(error instanceof RequestError) || ![400, 413, 422].includes(error.status ?? 0)) return [];
  const named = batch.filter((_, index) => error.items.includes(index));
  return named.length > 0 || batch.length > 1 ? named : batch;
};
