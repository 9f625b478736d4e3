/** Divides events into requests: up to ten events, and no body beyond the limit of the endpoint. */
import { contract } from '../../../shared/contract.ts';
import type { Found, PublishedEvent } from './read.ts';

/** Events in a request (docs/events.md). */
const maxEvents = 10;

const endpoint = contract.find((line) => line.function === 'events/publish');
/** Maximum size of a body in bytes. */
const maxBytes = (endpoint?.kind === 'endpoint' ? endpoint.bodyLimit : undefined) ?? 64 * 1024;
const envelopeBytes = Buffer.byteLength('{"events":[]}');

/** An event with an id, which makes it harmless to send it again. */
export interface Identified extends Found {
  readonly event: PublishedEvent & { readonly id: string };
}

/** Yields batches. Events without an id get `<run>-<number>`. An event beyond the limit is alone in its batch. */
export async function* batchesOf(found: AsyncIterable<Found>, run: string): AsyncGenerator<readonly Identified[]> {
  let batch: Identified[] = [];
  let bytes = envelopeBytes;
  for await (const { number, place, event } of found) {
    const identified = { number, place, event: { ...event, id: event.id ?? `${run}-${number}` } };
    const size = Buffer.byteLength(JSON.stringify(identified.event)) + 1;
    if (batch.length === maxEvents || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = envelopeBytes;
    }
    batch.push(identified);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
