/** `ops prove` tells a good stage from a bad one, question by question, and reports no secret. */
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import type { Account, ApiRequest, ApiResponse, World } from '../../infra/ops/prove/question.ts';
import { questions } from '../../infra/ops/prove/questions.ts';
import { lineOf, reportOf, withoutSecrets } from '../../infra/ops/prove/report.ts';
import { askAll } from '../../infra/ops/prove/run.ts';

const config = parseStage('dev', {
  region: 'eu-central-1',
  publication: { name: 'A', url: 'https://a.press' },
  mail: { from: 'desk@a.press', sandbox: true },
  features: { alarms: true, dashboard: true },
});

interface Plant {
  /** Changes the answer of the API; undefined keeps it. */
  readonly api?: (request: ApiRequest) => Partial<ApiResponse> | undefined;
  readonly account?: Partial<Account>;
  readonly world?: Partial<World>;
  /** Milliseconds from the first attempt of a delivery to the second. */
  readonly gapMs?: number;
  /** Whether the backlog is attempted before the single event. */
  readonly isUnfair?: true;
  /** The status of invites, by the end of the address. */
  readonly invite?: (email: string) => string;
  readonly deadLettersStay?: true;
}

const error = (type: string) => ({ errors: [{ type }] });

/** A stage that answers as expected, apart from what is planted. */
const worldWith = (plant: Plant = {}): World => {
  let now = Date.parse('2026-11-26T10:00:00Z');
  let published = 0;
  let dead = 0;
  const invites: string[] = [];
  const times = new Map<string, { readonly webhook: string; readonly at: number }>();
  const timeOf = (ms: number) => new Date(ms).toISOString();
  const answer = ({ method, path, as, body, headers = {} }: ApiRequest): Omit<ApiResponse, 'ms'> => {
    const size = body?.length ?? 0;
    if (path.startsWith('/inbound/')) return { status: size > 6 * 1024 * 1024 ? 413 : 202, body: {} };
    if (size > 10 * 1024 * 1024) return { status: 413, body: error('RequestEntityTooLargeError') };
    if (path === '/admin/no-such-thing/') return { status: 404, body: error('NotFoundError') };
    if (path === '/console/') return { status: 200, body: '<html>' };
    if (path === '/admin/webhooks/') return { status: headers['Content-Encoding'] ? 400 : 201, body: {} };
    if (path === '/admin/roles/') return { status: 200, body: { roles: [{ id: 'r', name: 'Author' }] } };
    if (path === '/admin/events/') {
      const { events } = JSON.parse(String(body)) as { events: { event: string }[] };
      const made = events.map(({ event }) => {
        const id = `event-${published++}`;
        const isBusy = event === 'page.added';
        const at = plant.isUnfair ? now + published : now + (isBusy ? 1000 + published : 10);
        times.set(id, { webhook: isBusy ? 'busy' : 'single', at });
        return { id };
      });
      return { status: as === 'integration' ? 202 : 403, body: { events: made } };
    }
    const [, webhook, one] = /^\/admin\/webhooks\/(\w+)\/deliveries\/(?:([\w-]+)\/)?/.exec(path) ?? [];
    if (one !== undefined) {
      const started = now;
      const log = [started, started + (plant.gapMs ?? 5500)].map((ms) => ({ started_at: timeOf(ms) }));
      return { status: 200, body: { deliveries: [{ log }] } };
    }
    if (webhook !== undefined) {
      const deliveries = [...times].flatMap(([event_id, { webhook: of, at }]) =>
        of === webhook ? [{ id: 'd', event_id, last_attempt_at: timeOf(at), last_status: '404' }] : [],
      );
      return { status: 200, body: { deliveries } };
    }
    if (path.startsWith('/admin/invites/')) {
      if (method === 'POST') invites.push(JSON.parse(String(body)).invites[0].email);
      const email = invites.at(-1) ?? '';
      const status = plant.invite?.(email) ?? (email.endsWith('@example.com') ? 'bounced' : 'sent');
      return { status: 200, body: { invites: [{ id: 'i', status }] } };
    }
    throw new Error(`The stage of the test has no ${method} ${path}.`);
  };
  return {
    config,
    made: { integrationId: 'a', busyWebhook: 'busy', webhook: 'single', inboundSecret: 's' },
    send: async (request) => ({ ms: 200, ...answer(request), ...plant.api?.(request) }),
    deadLetters: {
      count: async () => dead,
      add: async () => {
        dead++;
      },
      redrive: async () => {
        if (!plant.deadLettersStay) dead = 0;
      },
    },
    account: {
      async query(text) {
        if (text.includes('platform.report')) return [{ type: 'platform.report' }];
        if (text.includes('not authorized')) return [];
        if (text.includes('init_ms')) return [{ function: 'events/publish', ms: '900' }];
        return [];
      },
      savedQueries: async () => ({ faults: 'fields @timestamp' }),
      invoke: async () => 'The request has invalid fields',
      release: async () => ['Successfully executed action arn:aws:sns:eu-central-1:111111111111:masthead-dev-notices'],
      methodSettings: async () => ({ 'a/POST': {}, 'b/GET': {}, 'b/HEAD': {} }),
      ...plant.account,
    },
    now: () => now,
    wait: async (ms) => {
      now += ms;
    },
    removeLater: () => undefined,
    ...plant.world,
  };
};

const planted: Readonly<Record<string, Plant>> = {
  transactions: { world: { made: undefined, failure: { status: 500, body: error('InternalServerError'), ms: 9 } } },
  console: { api: ({ path }) => (path === '/console/' ? { ms: 4100 } : undefined) },
  'unknown path': {
    api: ({ path }) => (path.includes('no-such') ? { status: 403, body: { message: 'Missing' } } : undefined),
  },
  'compressed body': { api: ({ headers }) => (headers?.['Content-Encoding'] ? { status: 502 } : undefined) },
  'large body': {
    api: ({ path, as }) => (path === '/admin/events/' && !as ? { body: { message: 'Too Long' } } : undefined),
  },
  'posts of Ghost': { api: ({ path }) => (path.startsWith('/inbound/') ? { status: 413 } : undefined) },
  'exploit in a post': {
    api: ({ body }) =>
      String(body).includes('passwd') ? { status: 403, body: error('NoPermissionError') } : undefined,
  },
  'delivery and delay': { gapMs: 70_000 },
  'fair queues': { isUnfair: true },
  mail: { invite: () => 'bounced' },
  sandbox: { invite: () => 'sent' },
  redrive: { deadLettersStay: true },
  alarm: { account: { release: async () => ['Failed to execute action arn:aws:sns:…: not authorized'] } },
  'failed invocation': { account: { query: async () => [] } },
  'refused by IAM': { account: { query: async () => [{ function: 'due/sweep', lines: '3' }] } },
  'cold starts': { account: { query: async () => [{ function: 'console/page', ms: '2600' }] } },
  'saved queries': {
    account: {
      query: async () => {
        throw new Error('MalformedQueryException');
      },
    },
  },
  'method limits': {
    account: { methodSettings: async () => Object.fromEntries([...Array(87).keys()].map((n) => [n, {}])) },
  },
};

const ask = (name: string, plant?: Plant) => {
  const question = questions.find((one) => one.name === name);
  if (question === undefined) throw new Error(`There is no question ${name}.`);
  return question.ask(worldWith(plant));
};

describe('a question of ops prove', () => {
  const names = questions.map(({ name }) => name);

  it('has a wrong answer in this test', () => {
    expect(Object.keys(planted)).toEqual(names);
  });

  it.each(names)('is answered as expected by a stage that works: %s', async (name) => {
    expect(await ask(name)).toMatchObject({ result: 'as expected' });
  });

  it.each(names)('notices an answer that is different: %s', async (name) => {
    const answer = await ask(name, planted[name]).catch((error: unknown) => ({
      result: 'different',
      seen: String(error),
    }));
    expect(answer).toMatchObject({ result: 'different', seen: expect.stringMatching(/./) });
  });

  it('is not run on the local stack if it needs a part that this does not have, and says which', async () => {
    const local: Plant = { world: { account: undefined } };
    const answers = await Promise.all(names.map(async (name) => [name, await ask(name, local)] as const));
    const skipped = answers.filter(([, { result }]) => result === 'not run');
    expect(skipped.map(([name]) => name)).toEqual([
      'fair queues',
      'sandbox',
      'alarm',
      'failed invocation',
      'refused by IAM',
      'cold starts',
      'saved queries',
      'method limits',
    ]);
    for (const [, answer] of skipped) expect(answer).toMatchObject({ reason: expect.stringContaining('local') });
  });

  it('names the setting for transactions only if the stage failed', async () => {
    const seenFor = async (failure: Partial<World>) =>
      JSON.stringify(await ask('transactions', { world: { made: undefined, ...failure } }));
    const withStatus = (status: number) => seenFor({ failure: { status, body: error('NoPermissionError'), ms: 9 } });
    expect(await withStatus(500)).toContain("transactionGrants: 'union'");
    expect(await withStatus(403)).not.toContain('transactionGrants');
    expect(await seenFor({})).not.toContain('transactionGrants');
  });

  it('stays open if AWS refuses what the operator asks', async () => {
    const refusal = Object.assign(new Error('not authorized to perform: logs:StartQuery'), { $metadata: {} });
    const query = async () => Promise.reject(refusal);
    const chosen = questions.filter(({ name }) => name === 'cold starts');
    const [asked] = await askAll(
      chosen,
      worldWith({ account: { query } }),
      () => undefined,
      () => false,
    );
    expect(asked?.answer).toEqual({ result: 'not run', reason: 'Error: not authorized to perform: logs:StartQuery' });
  });

  it('is not run if nothing could be made for it', async () => {
    expect(await ask('posts of Ghost', planted.transactions)).toMatchObject({ result: 'not run' });
  });
});

describe('the report of ops prove', () => {
  it('has no key, account, address or host', () => {
    const key = `${'6a'.repeat(12)}:${'9f'.repeat(32)}`;
    const text =
      `arn:aws:sns:eu-central-1:111111111111:x ${key} ada@a.press ` +
      'https://abc.execute-api.eu-central-1.amazonaws.com/dev in 111111111111';
    expect(withoutSecrets(text)).toBe('<arn> <key> <address> https://<host>/dev in <account>');
  });

  it('counts the answers, and has a line for each that can stand in a table', async () => {
    const world = worldWith(planted.mail);
    const lines: string[] = [];
    const chosen = questions.filter(({ name }) => ['mail', 'redrive'].includes(name));
    const asked = await askAll(
      chosen,
      world,
      (one) => lines.push(lineOf(one)),
      () => false,
    );
    const report = reportOf({ config, region: 'eu-central-1', asked, minutes: 1.26, requests: 40 });
    expect(report).toContain('1 as expected, 1 different, 0 not run; 1.3 minutes, 40 requests, at most 1 cent.');
    for (const line of lines) expect(report.split('\n')).toContain(line);
    expect(lines[0]).toMatch(/^\| mail \| .* \| \*\*different\*\* \| bounced after 0\.0 s \|$/);
  });

  it('ends with the question that Ctrl-C interrupts', async () => {
    let asked = 0;
    const answers = await askAll(
      questions,
      worldWith(),
      () => asked++,
      () => asked === 2,
    );
    expect(answers).toHaveLength(2);
  });
});
