/** What `npm start` prints while it runs: a line for each request, delivery and mail, without secrets. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { activityPrinter, deliveryActivities, isConsoleRefresh, requestActivity } from '../../infra/local/activity.ts';
import { followLog } from '../../infra/local/follow-log.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';

const home = temporaryHome();
afterAll(() => home.remove());

const id = '0123456789abcdef01234567';
const answered = (path: string, resource?: string) =>
  requestActivity({ method: 'GET', path, resource, status: 200, hasSession: false, ms: 12.4 }).fields.path;

describe('the line of a request', () => {
  it('shows method, path, status and duration', () => {
    const { text } = requestActivity({
      method: 'PUT',
      path: `/a/${id}/`,
      resource: '/a/{id}',
      status: 422,
      hasSession: false,
      ms: 12.4,
    });
    expect(text).toBe(`PUT /a/${id}/ 422 12 ms`);
  });

  it.each([
    ['a token of a route', '/invitation/short/', '/invitation/{token}', '/invitation/{token}/'],
    ['a long part of a path', `/invitation/${id}${'T0ken'.repeat(8)}/`, '/invitation/{invite}', '/invitation/…/'],
    ['a key in an unknown path', `/nothing/${id}:${'ab'.repeat(32)}`, undefined, '/nothing/…'],
  ])('does not show %s', (_what, path, resource, shown) => {
    expect(answered(path, resource)).toBe(shown);
  });
});

const story = { event_id: `e${id.slice(1)}`, delivery_id: id, webhook_id: `a${id.slice(1)}`, attempts: 1 };

describe('a request of a browser', () => {
  it.each([
    ['GET', 200, true, true],
    ['GET', 500, true, false],
    ['PUT', 200, true, false],
    ['GET', 200, false, false],
  ])('%s with the answer %i and a session (%s) is only a look: %s', (method, status, hasSession, expected) => {
    expect(isConsoleRefresh({ method, path: '/a/', resource: '/a', status, hasSession, ms: 1 })).toBe(expected);
  });
});

describe('the line of a delivery', () => {
  const linesOf = (record: object) => deliveryActivities(JSON.stringify(record)).map(({ text }) => text);

  it('appears for each delivery that the log reports', () => {
    const { event_id, delivery_id, webhook_id } = story;
    const lines = linesOf({
      level: 'INFO',
      message: 'delivered',
      deliveries: [1, 2].map((attempts) => ({ event_id, delivery_id, webhook_id, attempts })),
    });
    expect(lines).toEqual([
      `${id} to webhook a${id.slice(1)} delivered, attempt 1`,
      `${id} to webhook a${id.slice(1)} delivered, attempt 2`,
    ]);
  });

  it('shows why a delivery failed, and when the next attempt is', () => {
    const record = {
      message: 'not delivered',
      ...story,
      status: 'retrying',
      last_status: '500',
      last_error: null,
      next_attempt_at: '2026-11-22T07:00:00.000Z',
    };
    expect(linesOf(record)).toEqual([
      `${id} to webhook a${id.slice(1)} retrying, attempt 1, 500, next attempt at 2026-11-22T07:00:00.000Z`,
    ]);
  });

  it('shows what a delivery waits for', () => {
    const record = { message: 'waits', ...story, waiting_for: 'retry_after' };
    expect(linesOf({ ...record, next_attempt_at: '2026-11-22T07:00:00.000Z' })).toEqual([
      `${id} to webhook a${id.slice(1)} waits (retry_after), next attempt at 2026-11-22T07:00:00.000Z`,
    ]);
    expect(linesOf({ ...record, waiting_for: 'circuit_breaker', next_attempt_at: null })).toEqual([
      `${id} to webhook a${id.slice(1)} waits (circuit_breaker)`,
    ]);
  });

  it.each(['{"message":"answered"}', 'not JSON "message":"delivered"', '{"message":"delivered"}', ''])(
    'does not appear for %s',
    (line) => expect(deliveryActivities(line)).toEqual([]),
  );
});

describe('the terminal', () => {
  const request = requestActivity({
    method: 'GET',
    path: '/a/',
    resource: '/a',
    status: 200,
    hasSession: false,
    ms: 1,
  });
  const printed = (form: 'text' | 'json' | 'none') => {
    const lines: string[] = [];
    activityPrinter(form, (line: string) => lines.push(line))(request);
    return lines;
  };

  it('shows the time, the kind of activity, and what happened', () => {
    expect(printed('text')).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d {2}request {3}GET \/a\/ 200 1 ms$/)]);
  });

  it('shows JSON with --json', () => {
    const [line = ''] = printed('json');
    expect(JSON.parse(line)).toEqual({
      type: 'request',
      time: expect.stringMatching(/Z$/),
      method: 'GET',
      path: '/a/',
      status: 200,
      ms: 1,
    });
  });

  it('shows nothing with --quiet', () => {
    expect(printed('none')).toEqual([]);
  });
});

describe('the log file of the functions', () => {
  it('is followed from its current end, line by line', async () => {
    const file = join(home.folder, 'functions.log');
    writeFileSync(file, 'of an earlier start\n');
    const lines: string[] = [];
    const following = followLog(file, (line) => lines.push(line));
    appendFileSync(file, 'one\ntw');
    appendFileSync(file, 'ö\nunfinished');
    await following.stop();
    expect(lines).toEqual(['one', 'twö']);
  });
});
