/**
 * Counts a Ghost site's requests; a failed count is only logged. Strangers may cause refusals, so an environment writes
 * at most thirty in ten seconds, and only for integrations with an inbound secret.
 */
import { log } from '../../aws/log.ts';
import { second } from '../../foundation/clock.ts';
import { MastheadError } from '../../foundation/errors.ts';
import type { IntegrationId } from '../../foundation/ids.ts';
import { JsonLimitError } from '../../foundation/json-scan.ts';
import { SignatureError } from '../ghost-signature.ts';
import { readIntegration } from '../store.ts';
import type { RefusalReason } from './resource.ts';
import { addArrival, addRefusals } from './store.ts';

const windowMs = 10 * second;
/** A wrongly set up site sends fewer, so each refusal is visible at once. What exceeds it is written later. */
const writesInWindow = 30;
/** Only strangers can cause refusals for more integrations at the same time. */
const maxPending = 100;

const quietly = async (work: Promise<void>): Promise<void> => {
  await work.catch((error: unknown) =>
    log.warn('The count of a relay could not be written', { error: error as Error }),
  );
};

/** Counts an accepted event. Never rejects. */
export const countArrival = (id: IntegrationId, now: number): Promise<void> => quietly(addArrival(id, now));

/** Returns a function that counts a refused request by its error. It never rejects. */
export const refusalCounter = () => {
  let pending = new Map<IntegrationId, Map<RefusalReason, number>>();
  let window = { since: Number.NEGATIVE_INFINITY, writes: 0 };

  const add = (id: IntegrationId, reason: RefusalReason): void => {
    const counts = pending.get(id) ?? new Map<RefusalReason, number>();
    if (!pending.has(id) && pending.size >= maxPending) return;
    pending.set(id, counts);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  };
  const flush = async (now: number): Promise<void> => {
    if (now - window.since >= windowMs) window = { since: now, writes: 0 };
    window.writes += 1;
    const taken = pending;
    pending = new Map();
    for (const [id, counts] of taken)
      if ((await readIntegration(id))?.inbound_secret !== undefined) await addRefusals(id, counts, now);
  };
  return async (id: IntegrationId, error: unknown, now: number): Promise<void> => {
    if (!(error instanceof MastheadError) || error.status >= 500) return;
    const reason = reasonOf(error);
    add(id, reason);
    const mayWrite = now - window.since >= windowMs || window.writes < writesInWindow;
    if (lostReasons.includes(reason) || mayWrite) await quietly(flush(now));
  };
};

/** Reasons for which a signed event is lost, as Ghost does not repeat it: an operator must see each. */
const lostReasons: readonly RefusalReason[] = ['event', 'size', 'body', 'other'];

const reasonOf = (error: MastheadError): RefusalReason => {
  if (error instanceof SignatureError) return error.reason;
  if (error.cause instanceof SignatureError) return error.cause.reason;
  const { status } = error;
  if (status === 413 || error.cause instanceof JsonLimitError) return 'size';
  if (status === 400 || status === 415) return 'body';
  if (status === 422) return 'event';
  if (status === 429) return 'rate';
  return status === 403 ? 'delivery_of_masthead' : 'other';
};
