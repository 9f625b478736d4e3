/** Processes the events queue: makes a delivery for each subscriber of an event. */
import { queueWorker } from '../../shared/aws/worker.ts';
import { fanOut } from '../../shared/deliveries/fan-out/fan-out.ts';
import { parseEventMessage } from '../../shared/events/bus-event.ts';
import { eventMessage } from '../../shared/events/event.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { writeCounts } from '../../shared/stats/count.ts';

const rules = settings().deliveries;

export const handler = queueWorker(eventMessage, (batch) => batch.map(({ body }) => fanOut(body, rules)), {
  parse: parseEventMessage,
  atEnd: writeCounts,
});
