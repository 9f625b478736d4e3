/** Publishing while queues fail: 202 is returned only for events that are queued, themselves or as deliveries. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { deliveryTools, throughTheQueue } from '../support/deliveries.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

/** Answers one request of the SDK: returns the accepted entries, or does not answer. */
type Script = (entries: readonly Entry[], request: number) => readonly Entry[] | 'hang up';

let script: Script;
interface Taken {
  readonly kind?: string;
  readonly id?: string;
  readonly body_hash?: string;
  readonly webhook_id?: string;
}

let taken: Taken[];
let requests: number;

const queue = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const entries: readonly Entry[] = JSON.parse(text).Entries;
  requests++;
  const accepted = script(entries, requests);
  if (accepted === 'hang up') return request.socket.destroy();
  taken.push(...accepted.map(({ MessageBody }) => JSON.parse(MessageBody)));
  const failed = entries.filter((entry) => !accepted.includes(entry));
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  return response.end(
    JSON.stringify({
      Successful: accepted.map(({ Id, MessageBody }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
      })),
      Failed: failed.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
    }),
  );
});
const { origin, stop } = await listen(queue);

const stack = await freshStack();
const keys = await stack.seed();
// The first call imports the functions, and importing creates their client.
process.env.AWS_ENDPOINT_URL_SQS = origin;
for (const queue of ['events', 'deliveries'] as const)
  process.env[`QUEUE_URL_${queue.toUpperCase()}`] = `${origin}/000000000000/${queue}`;
afterAll(stop);
// The SDK can wait for seconds between its attempts.
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
beforeEach(() => {
  taken = [];
  requests = 0;
});

const names = ['a', 'b', 'c', 'd'];
const post = (events: readonly object[]) =>
  stack.call('events/publish', { path: '/admin/events/', key: keys.integration, body: { events } });
const publish = () =>
  throughTheQueue(stack, () => post(names.map((id) => ({ id, event: 'site.changed', payload: {} }))));
const takenIds = () => taken.map(({ id }) => id).sort();

describe('publishing through the events queue', () => {
  it('sends only the failed entries of a batch again', async () => {
    script = (entries, request) => (request === 1 ? entries.slice(0, 3) : entries);
    expect((await publish()).status).toBe(202);
    expect(takenIds()).toEqual(names);
  });

  it('returns 503 with Retry-After if entries of a batch keep failing', async () => {
    script = (entries) => entries.filter(({ MessageBody }) => !MessageBody.includes('"id":"d"'));
    const answer = await publish();
    expectRefusal(answer, { status: 503, type: 'ServiceUnavailableError' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(takenIds()).toEqual(['a', 'b', 'c']);
  });

  it('returns 503 without internal details if the queue does not respond', async () => {
    script = () => 'hang up';
    const answer = await publish();
    expectRefusal(answer, { status: 503, type: 'ServiceUnavailableError' });
    expect(answer.text).not.toMatch(/sqs|ECONN|127\.0\.0\.1|queue/i);
  });

  it('returns 202 after a short failure of the queue', async () => {
    script = (entries, request) => (request === 1 ? 'hang up' : entries);
    expect((await publish()).status).toBe(202);
    expect(takenIds()).toEqual(names);
  });
});

describe('publishing with few subscribers', () => {
  const { webhook, put } = deliveryTools(stack, keys);
  const event = { event: 'tag.added', payload: { tag: { current: {}, previous: {} } } };
  let first: string;
  beforeAll(async () => {
    first = (await webhook('http://127.0.0.1:9/first', { event: 'tag.added' })).id;
    // Of another integration, so that it shares no message with the first one.
    const webhook_id = `${'0'.repeat(12)}${'f'.repeat(12)}` as WebhookId;
    const item = { ...subscriberKey('tag.added', webhook_id), webhook_id, integration_id: 'e'.repeat(24) };
    await put([item]);
  });
  const isPage = ({ MessageBody }: Entry) => JSON.parse(MessageBody).kind === 'page';
  const isFirst = ({ MessageBody }: Entry) => JSON.parse(MessageBody).webhook_ids?.includes(first) === true;

  it('queues the first page if a lane accepts only some of its deliveries', async () => {
    script = (entries) => entries.filter((entry) => isPage(entry) || isFirst(entry));
    expect((await post([{ ...event, id: 'part' }])).status).toBe(202);
    expect(taken).toMatchObject([{ webhook_ids: [first] }, { kind: 'page' }]);
  });

  it('returns 503 if the events queue fails too, and the event is sent when it is published again', async () => {
    script = (entries) => entries.filter(isFirst);
    expectRefusal(await post([{ ...event, id: 'refused' }]), { status: 503, type: 'ServiceUnavailableError' });
    taken = [];
    script = (entries) => entries;
    expect((await post([{ ...event, id: 'refused' }])).status).toBe(202);
    expect(taken).toMatchObject([{ kind: 'page', body_hash: expect.any(String) }]);
  });
});
