/** Works on the events queue: makes a delivery for each subscriber of an event, and for each event of a replay. */
import * as v from 'valibot';
import { send } from '../../shared/aws/queues.ts';
import { queueWorker } from '../../shared/aws/worker.ts';
import { type FannedOut, fanOut } from '../../shared/deliveries/fan-out.ts';
import { sendToLanes } from '../../shared/deliveries/lanes.ts';
import { type ReplayMessage, replayMessage } from '../../shared/deliveries/replays/schema.ts';
import { advanceReplay, readReplay } from '../../shared/deliveries/replays/store.ts';
import { type ReplayPorts, workOnReplay } from '../../shared/deliveries/replays/work.ts';
import { addDelivery, pageOfDeliveries } from '../../shared/deliveries/store.ts';
import { eventMessage } from '../../shared/events/event.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

const rules = settings().deliveries;

const sendDeliveries = async (deliveries: readonly FannedOut[]): Promise<void> => {
  const delaySeconds = rules.retryAfterSeconds[0] ?? 0;
  await sendToLanes(
    deliveries.map(({ message, subscriber }) => ({ message, lane: subscriber.lane ?? 'normal', delaySeconds })),
  );
};

const replayPorts: ReplayPorts = {
  readReplay,
  advanceReplay,
  readWebhook: webhookStore.read,
  pageOfDeliveries,
  addDelivery,
  sendDeliveries: (messages) => sendToLanes(messages.map((message) => ({ message, lane: 'slow' }))),
  sendRest: (job_id) => send('events', [{ body: { kind: 'replay', job_id } satisfies ReplayMessage }]),
  clock: systemClock,
  settings: rules,
};

export const handler = queueWorker(v.union([eventMessage, replayMessage]), (batch, timeoutAt) =>
  batch.map(({ body, ...received }) =>
    body.kind === 'replay'
      ? workOnReplay(replayPorts, body.job_id)
      : fanOut({ ...received, body }, timeoutAt, { ...rules, sendDeliveries }),
  ),
);
