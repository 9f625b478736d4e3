/**
 * The outbox for Masthead's own events. Each event is stored in the transaction of the change that it reports, so that it is published at least once:
 * right after the transaction, or by the sweep. A second publication is dropped during the first lease of the fan-out; later it creates the same
 * deliveries, which the log recognises.
 */
import { log } from '../aws/log.ts';
import { count } from '../aws/metrics.ts';
import { send } from '../aws/queues.ts';
import { dueAt } from '../due/due-index.ts';
import { getMany } from '../table/batch.ts';
import { remove } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import type { AcceptedEvent } from './event.ts';

const outboxKey = (id: string): Key => ({ pk: `OUTBOX#${id}`, sk: 'OUTBOX' });

/** Returns whether a due key stands for an event in the outbox. */
export const isInOutbox = ({ sk }: Key): boolean => sk === 'OUTBOX';

/** Returns the write that stores an event; the sweep publishes it at `due` (epoch ms) unless `publish` comes first. */
export const putIntoOutbox = (event: AcceptedEvent, due: number): Write => ({
  kind: 'put',
  item: { ...outboxKey(event.id), event, ...dueAt(outboxKey(event.id), due) },
});

const publishAll = async (events: readonly AcceptedEvent[]): Promise<void> => {
  await send(
    'events',
    events.map((body) => ({ body, group: body.publisher })),
  );
  await Promise.all(events.map(({ id }) => remove(outboxKey(id))));
  count('EventsAccepted', events.length);
};

/** Publishes an event that was just stored. Never fails, because the sweep publishes it otherwise. */
export const publish = async (event: AcceptedEvent): Promise<void> => {
  try {
    await publishAll([event]);
  } catch (error) {
    log.warn('An event is left to the sweep', { event_id: event.id, error: error as Error });
  }
};

/** Publishes the events that are due. @throws ServiceUnavailableError when the queue or the table is not available */
export const publishDue = async (keys: readonly Key[]): Promise<void> =>
  publishAll((await getMany<{ event: AcceptedEvent }>(keys)).map(({ event }) => event));
