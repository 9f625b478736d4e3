/** A fan-out's pages: one message is one page, and a kill between any two steps repeats a page and loses none. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AcceptedEvent, EventBody, EventMessage } from '../../shared/events/event.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { iso, minute, now, second } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
vi.mock('../../shared/stats/count.ts', () => ({ countOutcome: vi.fn(), countLatency: vi.fn() }));
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn() }));
const { fanOut } = await import('../../shared/deliveries/fan-out/fan-out.ts');
const { unpack } = await import('../../shared/deliveries/records/messages.ts');
const { countOutcome } = await import('../../shared/stats/count.ts');
const { count } = await import('../../shared/aws/metrics.ts');
const { log } = await import('../../shared/aws/log.ts');
const { bodyHash } = await import('../../shared/events/event.ts');

const rules = { keepDays: 30, retryAfterSeconds: [0, 5] };
const day = 86_400 * second;

stopTime(now);
beforeEach(() => {
  vi.clearAllMocks();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const payload = { post: { current: { title: 'Hello' }, previous: {} } };
const accepted: AcceptedEvent = {
  kind: 'event',
  id: 'e1',
  publisher: 'p',
  event: 'post.published',
  accepted_at: iso(now - 100),
  payload,
  owner: 'request',
};
const hash = bodyHash('p', 'e1');
const bodyKey = { pk: `EVENT_BODY#${hash}`, sk: 'EVENT' };
const body = (): EventBody => aws.read(bodyKey);
const idOf = (number: number) => number.toString(16).padStart(24, '0') as WebhookId;
const integration = 'b'.repeat(24);

const given = (subscribers: number, event = 'post.published') => {
  for (let number = 0; number < subscribers; number++)
    aws.put(subscriberKey(event, idOf(number)), { webhook_id: idOf(number), integration_id: integration });
};
const run = (message: EventMessage, changes: Partial<typeof rules> = {}) => fanOut(message, { ...rules, ...changes });
type Sent = ReturnType<typeof aws.sent>;
const deliveriesIn = (sent: Sent) =>
  sent.filter(({ queue }) => queue === 'deliveries').flatMap((message) => unpack(message.body as never));
const webhooksOf = (sent: Sent) => deliveriesIn(sent).map(({ webhook_id }) => Number.parseInt(webhook_id, 16));
const pagesIn = (sent: Sent) => sent.filter(({ queue }) => queue === 'events');
const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, position) => first + position);
const runAll = async (sent: Sent): Promise<Sent> => {
  const all = [...sent];
  for (let pages = pagesIn(sent); pages.length > 0; ) {
    for (const page of pages) await run(page.body as unknown as EventMessage);
    const further = aws.sent();
    all.push(...further);
    pages = pagesIn(further);
  }
  return all;
};

describe('an event of the queue', () => {
  it('is stored for as long as its deliveries need it, and gets one delivery for each subscriber', async () => {
    const info = vi.spyOn(log, 'info');
    given(2);
    await run(accepted);
    const sent = aws.sent();
    expect(sent).toMatchObject([{ queue: 'deliveries', group: integration }]);
    expect(webhooksOf(sent)).toEqual([0, 1]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['accepted']]);
    expect(info).toHaveBeenCalledWith('fanned out', { event_id: 'e1', deliveries: 2 });
    expect(body()).toEqual({
      id: 'e1',
      publisher: 'p',
      event: 'post.published',
      created_at: iso(now - 100),
      payload: JSON.stringify(payload),
      owner: 'request',
      // The log is kept for 30 days after the last attempt, which starts within seven days of the event.
      expires_at: Math.floor((now + (30 + 7) * day) / second),
      next_page: 'none',
    });
  });

  it('waits before its first attempt if the retry schedule begins with a delay', async () => {
    given(1);
    await run(accepted, { retryAfterSeconds: [7, 5] });
    expect(aws.sent()).toMatchObject([{ delaySeconds: 7 }]);
  });

  it('without subscribers is counted as accepted and needs no message', async () => {
    await run(accepted);
    expect(aws.sent()).toEqual([]);
    expect(vi.mocked(countOutcome).mock.calls).toEqual([['accepted']]);
  });

  it('is stored in parts if it is large, unless the publishing function has stored the parts already', async () => {
    await run({ ...accepted, payload: { post: { current: { title: 'x'.repeat(5000) }, previous: {} } } });
    expect(body()).toMatchObject({ payload: '', parts: { count: 1 } });
    await run({ ...accepted, id: 'e2', payload: {}, parts: { hash: 'p', count: 3 } });
    expect(aws.read({ pk: `EVENT_BODY#${bodyHash('p', 'e2')}`, sk: 'EVENT' })).toMatchObject({
      payload: '',
      parts: { hash: 'p', count: 3 },
    });
  });

  it('does not reach webhooks that were created more than a minute after it', async () => {
    for (const ms of [minute, minute + 1]) {
      const id = `${(now - 100 + ms).toString(16).padStart(12, '0')}${'0'.repeat(12)}` as WebhookId;
      aws.put(subscriberKey('post.published', id), { webhook_id: id, integration_id: integration });
    }
    await run(accepted);
    expect(webhooksOf(aws.sent())).toHaveLength(1);
  });
});

describe('the pages of an event', () => {
  const second_page = { list: 'post.published', after: idOf(49) };

  it('are one message each: the first page has 50 subscribers, and further ones 500', async () => {
    given(1051);
    await run(accepted);
    const first = aws.sent();
    expect(webhooksOf(first)).toEqual(numbers(50));
    expect(pagesIn(first)).toMatchObject([{ body: { kind: 'page', body_hash: hash, place: second_page }, group: 'p' }]);
    expect(body().next_page).toEqual(second_page);
    const all = await runAll(first);
    expect(webhooksOf(all)).toEqual(numbers(1051));
    expect(countOutcome).toHaveBeenCalledTimes(1);
    expect(body().next_page).toBe('none');
  });

  it("take the integration's turn first, and the publisher's beyond the first page", async () => {
    given(60);
    const groups = (await run(accepted).then(() => runAll(aws.sent())))
      .filter(({ queue }) => queue === 'deliveries')
      .map(({ group }) => group);
    expect(groups).toEqual([...Array(5).fill(integration), 'p']);
  });

  it("are in a group that is a hash if SQS does not allow the publisher's name", async () => {
    given(60);
    await run({ ...accepted, publisher: 'eventbridge:my shop' });
    expect(aws.sent().at(-1)?.group).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['reads its subscribers', 'QueryCommand', 1],
    ['sends its first deliveries', 'SendMessageBatchCommand', 1],
    ['sends its last deliveries', 'SendMessageBatchCommand', 5],
    ['queues the next page', 'SendMessageBatchCommand', 6],
    ['moves the cursor', 'UpdateCommand', 1],
  ] as const)(
    'are all sent, and at most one twice, if a run is killed before or after it %s',
    async (_, command, call) => {
      for (const after of [false, true]) {
        const id = `${command} ${after}`;
        given(1051);
        await run({ ...accepted, id });
        const first = aws.sent();
        const [page] = pagesIn(first);
        let calls = 0;
        aws.before(command, () => {
          calls += 1;
          if (calls === call) aws.fail(command, { after });
        });
        await expect(run(page?.body as never)).rejects.toThrow();
        // The message of the killed run comes again, after what that run had queued.
        const all = [...first, ...(await runAll([...aws.sent(), ...pagesIn(first)]))];
        expect(new Set(webhooksOf(all))).toEqual(new Set(numbers(1051)));
        expect(webhooksOf(all).length).toBeLessThanOrEqual(1051 + 500);
      }
    },
  );

  it('are skipped if the cursor is beyond them, however late their message returns', async () => {
    given(600);
    await run(accepted);
    const first = aws.sent();
    await runAll(first);
    for (const page of [...pagesIn(first).map(({ body }) => body), accepted]) await run(page as never);
    expect(aws.sent()).toEqual([]);
  });

  it('are sent although the cursor is still at an earlier page, because all earlier ones were', async () => {
    given(600);
    await run(accepted);
    const [page] = pagesIn(aws.sent());
    aws.change(bodyKey, { next_page: undefined });
    await run(page?.body as never);
    expect(body().next_page).toEqual({ list: 'post.published', after: idOf(549) });
    aws.sent();
    await run(accepted);
    expect(aws.sent()).toEqual([]);
  });

  it('leave a cursor alone that another run has moved meanwhile', async () => {
    given(600);
    aws.before('UpdateCommand', () => aws.change(bodyKey, { next_page: 'none' }), 1);
    await run(accepted);
    expect(body().next_page).toBe('none');
  });

  it('end with the event, once that is no longer stored', async () => {
    given(60);
    await run(accepted);
    const [page] = pagesIn(aws.sent());
    aws.erase(bodyKey);
    await run(page?.body as never);
    expect(aws.sent()).toEqual([]);
    expect(body()).toBeUndefined();
  });
});

describe('the lists of an event', () => {
  const subscribe = (list: string, from: number, to: number) => {
    for (let number = from; number < to; number++)
      aws.put(subscriberKey(list, idOf(number)), { webhook_id: idOf(number), integration_id: integration });
  };
  const givenLists = () => {
    subscribe('post.published', 0, 20);
    subscribe('post.*', 20, 40);
    subscribe('*', 40, 700);
    for (const other of ['post.added', 'page.*', 'post.published.edited']) subscribe(other, 900, 901);
  };

  it("are its name, its resource's pattern, and that of all events; a page reads on until it is full", async () => {
    givenLists();
    await run(accepted);
    const first = aws.sent();
    expect(webhooksOf(first)).toEqual(numbers(50));
    expect(body().next_page).toEqual({ list: '*', after: idOf(49) });
    const all = await runAll(first);
    expect(webhooksOf(all)).toEqual(numbers(700));
    expect(body().next_page).toBe('none');
  });

  it('of one with three parts in its name are those of its first part', async () => {
    subscribe('post.*', 0, 1);
    subscribe('post.tag.*', 1, 2);
    await run({ ...accepted, event: 'post.tag.attached' });
    expect(webhooksOf(aws.sent())).toEqual([0]);
  });

  it.each(['webhook.failing', 'delivery.failed', 'relay.silent', 'staff.added'])(
    'have no patterns if Masthead publishes it itself: %s',
    async (event) => {
      for (const list of ['*', `${event.split('.')[0]}.*`]) subscribe(list, 0, 2);
      const key = event.split('.')[0] ?? '';
      await run({ ...accepted, event, payload: { [key]: { current: {}, previous: {} } } });
      expect(aws.sent()).toEqual([]);
    },
  );

  it('count it as accepted once, also if its own list has no subscribers', async () => {
    subscribe('*', 0, 60);
    await run(accepted);
    await runAll(aws.sent());
    expect(countOutcome).toHaveBeenCalledTimes(1);
  });

  it('begin a page of their own if the one before ended with its list', async () => {
    subscribe('post.published', 0, 50);
    subscribe('post.*', 50, 60);
    await run(accepted);
    expect(webhooksOf(await runAll(aws.sent()))).toEqual(numbers(60));
  });

  it.each([1, 2, 3, 4])(
    'lose no subscriber if a run is killed before or after the %ith read of a list, batch of deliveries or move ' +
      'of the cursor',
    async (call) => {
      const steps = ['QueryCommand', 'SendMessageBatchCommand', 'UpdateCommand'] as const;
      for (const [command, after] of steps.flatMap((step) => [[step, false] as const, [step, true] as const])) {
        givenLists();
        let calls = 0;
        aws.before(command, () => {
          calls += 1;
          if (calls === call) aws.fail(command, { after });
        });
        const all: Sent[number][] = [];
        const messages: EventMessage[] = [{ ...accepted, id: `${command} ${after} ${call}` }];
        for (let message = messages.shift(); message !== undefined; message = messages.shift()) {
          // SQS shows the message of a killed run again, after what that run has queued.
          const killed = await run(message).then(
            () => [],
            () => [message as EventMessage],
          );
          const sent = aws.sent();
          all.push(...sent);
          messages.push(...pagesIn(sent).map((page) => page.body as unknown as EventMessage), ...killed);
        }
        expect(new Set(webhooksOf(all)), `${command} ${after}`).toEqual(new Set(numbers(700)));
      }
    },
  );
});

describe('an operational event', () => {
  it.each([
    ['webhook.failing', { webhook: { current: { id: idOf(0), integration_id: integration }, previous: {} } }],
    ['delivery.failed', { delivery: { current: { webhook_id: idOf(0) }, previous: {} } }],
  ])('is not delivered to the webhook that it reports on: %s', async (event, subject) => {
    given(2, event);
    aws.put({ pk: `WEBHOOK#${idOf(0)}`, sk: `WEBHOOK#${idOf(0)}` }, { id: idOf(0), integration_id: integration });
    await run({ ...accepted, event, payload: subject as never });
    const sent = aws.sent();
    expect(webhooksOf(sent)).toEqual([1]);
  });
});

describe('an event id that is used again', () => {
  const again = { ...accepted, owner: 'another request' };

  it('for the same event is dropped without a log entry', async () => {
    const warn = vi.spyOn(log, 'warn');
    given(1);
    await run(accepted);
    aws.sent();
    await run(again);
    expect(aws.sent()).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('sends the first page of an event that was stored but not sent, while the log has its deliveries', async () => {
    given(1);
    await run(accepted);
    aws.sent();
    aws.change(bodyKey, { next_page: undefined });
    vi.setSystemTime(now - 100 + 30 * day);
    await run(again);
    expect(aws.sent()).toEqual([]);
    vi.setSystemTime(now - 101 + 30 * day);
    await run(again);
    expect(webhooksOf(aws.sent())).toEqual([0]);
  });

  it('for a different event is logged and counted, because that event is not delivered', async () => {
    const warn = vi.spyOn(log, 'warn');
    given(1);
    await run(accepted);
    aws.sent();
    await run({ ...again, payload: { post: { current: { title: 'Other' }, previous: {} } } });
    expect(aws.sent()).toEqual([]);
    expect(warn).toHaveBeenCalledWith(expect.any(String), { event_id: 'e1' });
    expect(vi.mocked(count).mock.calls).toEqual([['EventIdsReused']]);
    expect(body()).toMatchObject({ payload: JSON.stringify(payload) });
  });
});
