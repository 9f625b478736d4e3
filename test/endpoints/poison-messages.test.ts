/** Messages that fail: a faulty one soon becomes a dead letter; one that meets an outage is retried for hours. */
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { queueWorker } from '../../shared/aws/worker.ts';
import { ServiceUnavailableError } from '../../shared/foundation/errors.ts';
import { FormatError } from '../../shared/foundation/format.ts';
import { takeLog } from '../support/log-lines.ts';
import { freshStack } from '../support/parts.ts';
import { queueRecord } from '../support/parts-event.ts';
import { queueDefinitions } from '../support/parts-schema.ts';

vi.hoisted(() => {
  process.env.LOG_LEVEL = 'INFO';
});
const stack = await freshStack();
const { lines } = takeLog();
const answer = v.object({ batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })) });

describe.each(queueDefinitions)('a message of the queue $queue', ({ queue, worker }) => {
  const failuresAt = async (body: string, receiveCount: number) => {
    const record = queueRecord({ body, receiveCount }, stack.queueArn(queue));
    return v.parse(answer, await stack.invoke(worker, { Records: [record] })).batchItemFailures.length;
  };

  it('is received again at first if it cannot be read, because a newer release may know its format', async () => {
    expect(await failuresAt('{"nothing":1}', 9)).toBe(1);
    expect(await stack.deadMessages(queue)).toEqual([]);
  });

  it('becomes a dead letter after ten receives if it cannot be read', async () => {
    expect(await failuresAt('{"nothing":2}', 10)).toBe(0);
    expect(JSON.stringify(await stack.deadMessages(queue))).toContain('nothing');
  });
});

describe('a message whose processing fails', () => {
  const work = (error: Error) => queueWorker(v.object({}), (batch) => batch.map(() => Promise.reject(error)));
  const failuresOf = async (error: Error, receiveCount: number) => {
    const record = queueRecord({ body: '{"format":1}', receiveCount }, stack.queueArn('mail'));
    const context = { awsRequestId: '1', getRemainingTimeInMillis: () => 10_000 };
    return (await work(error)({ Records: [record] }, context)).batchItemFailures.length;
  };
  const ofAws = Object.assign(new SyntaxError('Unexpected token <'), { $response: {}, $metadata: {} });

  it.each([
    ['the table is out', new ServiceUnavailableError(new Error('timeout'))],
    ['a connection breaks', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })],
    ['AWS answers with a page of HTML', ofAws],
  ])('is received again, however often that happened before, if it failed because %s', async (_cause, error) => {
    expect(await failuresOf(error, 200)).toBe(1);
  });

  it.each([
    ['of a bug', new TypeError('x is undefined')],
    ['its item has an unknown format', new FormatError('far')],
  ])('becomes a dead letter after ten receives if it failed because %s', async (_cause, error) => {
    expect(await failuresOf(error, 9)).toBe(1);
    expect(await failuresOf(error, 10)).toBe(0);
  });

  it('counts as a fault once, so that its repeats neither roll back a release nor page anybody', async () => {
    const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
    for (let receive = 1; receive <= 240; receive += 1) await failuresOf(denied, receive);
    for (let receive = 1; receive <= 10; receive += 1) await failuresOf(new TypeError('x is undefined'), receive);
    const faults = lines().filter(({ level }) => level === 'ERROR');
    expect(faults.map(({ error }) => error.message)).toEqual(['not authorized', 'x is undefined']);
    expect(lines().filter(({ level }) => level === 'WARN').length).toBe(239 + 10);
  });

  it('is received again if the dead-letter queue does not accept it', async () => {
    stack.faults.set({ faults: [{ fault: 'error', function: 'mail/send', service: 'sqs' }] });
    try {
      const record = queueRecord({ body: '{"nothing":3}', receiveCount: 10 }, stack.queueArn('mail'));
      const { batchItemFailures } = v.parse(answer, await stack.invoke('mail/send', { Records: [record] }));
      expect(batchItemFailures).toHaveLength(1);
    } finally {
      stack.faults.set({ faults: [] });
    }
  });
});
