/** Feeds on the events queue: makes a delivery for each subscriber of an event, and for each event of a replay. */
import * as v from 'valibot';
import { log } from '../../shared/aws/log.ts';
import { send } from '../../shared/aws/queues.ts';
import { queueWorker } from '../../shared/aws/worker.ts';
import { fanOut } from '../../shared/deliveries/fan-out.ts';
import { sendToLanes } from '../../shared/deliveries/lanes.ts';
import { isFast } from '../../shared/deliveries/receivers/receiver.ts';
import { readReceivers } from '../../shared/deliveries/receivers/store.ts';
import { type ReplayMessage, replayMessage } from '../../shared/deliveries/replays/schema.ts';
import { advanceReplay, readReplay } from '../../shared/deliveries/replays/store.ts';
import { type ReplayPorts, workOnReplay } from '../../shared/deliveries/replays/work.ts';
import { addDelivery, pageOfDeliveries } from '../../shared/deliveries/store.ts';
import { eventMessage } from '../../shared/events/event.ts';
import { keepEventBody, readEventBody } from '../../shared/events/store.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';
import { listSubscribers } from '../../shared/webhooks/subscriptions.ts';

const rules = settings().deliveries;

const ports: Parameters<typeof fanOut>[0] = {
  keepEventBody,
  readEventBody,
  listSubscribers,
  sendDeliveries: async (deliveries) => {
    const receivers = await readReceivers(deliveries.map(({ receiver }) => receiver));
    const delaySeconds = rules.retryAfterSeconds[0] ?? 0;
    await sendToLanes(
      deliveries.map(({ receiver: origin, ...message }) => {
        const receiver = receivers.get(origin);
        const isNormal = receiver !== undefined && isFast(receiver, systemClock());
        return { message, lane: isNormal ? 'normal' : 'slow', delaySeconds };
      }),
    );
    log.info('fanned out', { event_id: deliveries[0]?.event_id, deliveries: deliveries.length });
  },
  sendRest: (rest: object) => send('events', [{ body: rest }]),
  keepDays: rules.keepDays,
  clock: systemClock,
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

export const handler = queueWorker(v.union([eventMessage, replayMessage]), (batch) =>
  batch.map(({ body }) => (body.kind === 'replay' ? workOnReplay(replayPorts, body.job_id) : fanOut(ports, body))),
);
