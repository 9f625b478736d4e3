/** `npm run ops -- deliveries …` and `replay`: what was delivered, what was not, and how to send it again. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { opsOn } from '../support/ops.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const receiver = await receiveWebhooks((response, { path }) => {
  response.statusCode = path === '/broken' ? 400 : 200;
  response.end('{"received":true}');
});
afterAll(() => receiver.close());
const { as, answerWith, file } = opsOn(stack);
const ops = (...args: string[]) => as(keys.owner)(args);
afterEach(() => answerWith());

const create = (event: string, path: string) =>
  webhookCalls(stack).existing(keys.integration, { event, target_url: `${receiver.origin}${path}` });
const webhook = await create('post.published', '/hook');
const broken = await create('post.deleted', '/broken');

const publish = async (event: string, ...ids: string[]) => {
  const payload = { post: { current: {}, previous: {} } };
  const lines = ids.map((id) => `${JSON.stringify({ id, event, payload })}\n`);
  expect(await ops('publish', file('events.ndjson', lines.join('')))).toMatchObject({ code: 0 });
  await stack.drain('events');
  await stack.drain('deliveries');
};
const objectsIn = (output: string) => output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
await publish('post.published', 'first', 'second', 'third');
await publish('post.deleted', 'lost');

describe('deliveries list', () => {
  it('prints the newest first, filters them, and reads page after page up to the limit', async () => {
    const all = objectsIn((await ops('deliveries', 'list', '--json')).output);
    expect(all.map(({ event_id }) => event_id).sort()).toEqual(['first', 'lost', 'second', 'third']);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const of = async (...filter: string[]) =>
      objectsIn((await ops('deliveries', 'list', '--json', ...filter)).output).map(({ event_id }) => event_id);
    expect(await of('--event-id', 'second')).toEqual(['second']);
    expect(await of('--webhook', broken.id, '--since', '1h')).toEqual(['lost']);
    expect(await of('--status', 'retrying')).toEqual(['lost']);
    expect(await of('--until', '2026-01-01')).toEqual([]);
    expect(await of('--limit', '2')).toHaveLength(2);
  });

  it('refuses --event-id with a name in place of an id, and says what to use', async () => {
    const { code, errors } = await ops('deliveries', 'list', '--event-id', 'post.published');
    expect(code).toBe(2);
    expect(errors).toContain('Use --event post.published');
  });

  it('advises to publish only if no filter has left deliveries out', async () => {
    const { output } = await ops('deliveries', 'list', '--status', 'failed');
    expect(output).toBe('No deliveries match.\n');
  });

  it('names the command that says why a delivery did not arrive', async () => {
    const { output } = await ops('deliveries', 'list', '--webhook', broken.id);
    expect(output).toContain('npm run ops -- deliveries show <delivery>');
  });

  it('says why a delivery is held, and how to send it', async () => {
    const [first] = objectsIn((await ops('deliveries', 'list', '--event-id', 'first', '--json')).output);
    const created_at = '2026-10-30T09:00:00.000Z';
    const held = { ...first, status: 'held', created_at };
    answerWith((_method, path) =>
      path.startsWith('/admin/deliveries/')
        ? Response.json({ deliveries: [held], meta: { pagination: { limit: 50, next: null } } })
        : undefined,
    );
    const { output } = await ops('deliveries', 'list', '--event-id', 'first');
    expect(output).toContain(`\n${held.id}: Its webhook was disabled.`);
    expect(output).toContain(`npm run ops -- webhooks enable ${held.webhook_id}. Then send what was held: `);
    expect(output).toContain(`npm run ops -- replay ${held.webhook_id} --status held --since ${created_at}\n`);
  });

  it('says what to do about each delivery that did not arrive, with the host and the path of its target', async () => {
    const { output } = await ops('deliveries', 'list', '--event-id', 'lost');
    expect(output).toContain(`${new URL(receiver.origin).host} does not accept the request.`);
  });

  it('says what has happened, and which webhooks have no delivery of the event and why', async () => {
    const filtered = await create('page.added', '/filtered');
    const options = [{ filter: { page: { current: { title: ['Another title'] } } } }];
    const path = `/admin/webhooks/${filtered.id}/options/`;
    await stack.call('webhooks/update-options', { path, key: keys.owner, body: { options } });
    const payload = { page: { current: { title: 'Imprint' }, previous: {} } };
    await ops('publish', file('page.ndjson', `${JSON.stringify({ id: 'left-out', event: 'page.added', payload })}\n`));
    await stack.drain('deliveries');
    const { output } = await ops('deliveries', 'list', '--event-id', 'left-out');
    expect(output).toContain('\nPage added: Imprint\n');
    expect(output).toMatch(
      /^Left out by the filter of [0-9a-f]{24} \(127\.0\.0\.1:\d+\/filtered\): page\.current\.title: \["Another title"\]$/m,
    );
  });

  it('prints a table with exact and relative times', async () => {
    const { output } = await ops('deliveries', 'list', '--event-id', 'first');
    expect(output).toMatch(/^ID +CREATED +EVENT +WEBHOOK +STATUS +ATTEMPTS +RESULT\n/);
    expect(output).toMatch(
      /^[0-9a-f]{24} +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ \(.*\) +post\.published +[0-9a-f]{24} \(127\.0\.0\.1:\d+\/hook\) +delivered +1 +200$/m,
    );
  });

  it.each([
    [['--status', 'lost'], "--status is 'lost'; it must be one of pending, retrying, "],
    [['--since', 'yesterday'], "--since is 'yesterday'; it must be a time such as 2026-11-22T09:30:00Z"],
    [
      ['--event', 'second'],
      "--event is 'second'; it must be an event name such as post.published. " +
        'For the id of an event use --event-id second.',
    ],
    [['--limit', '0'], "--limit is '0'; it must be a whole number, at least 1."],
    [['first'], "Unexpected argument 'first'."],
  ])('exits with code 2 for %j', async (args, message) => {
    expect(await ops('deliveries', 'list', ...args)).toEqual({
      code: 2,
      output: '',
      errors: expect.stringContaining(message),
    });
  });
});

describe('deliveries show and redeliver', () => {
  const lost = async () =>
    objectsIn((await ops('deliveries', 'list', '--event-id', 'lost', '--json')).output).at(-1).id;

  it('finds a delivery by its id, and prints its attempts and the request', async () => {
    const { output } = await ops('deliveries', 'show', await lost());
    expect(output).toMatch(/^target +http:\/\/127\.0\.0\.1:\d+\/broken$/m);
    expect(output).toContain(`What to do: ${new URL(receiver.origin).host} does not accept the request.`);
    expect(output).toMatch(/^webhook +[0-9a-f]{24} \(127\.0\.0\.1:\d+\/broken\)$/m);
    expect(output).toMatch(/^waits for +schedule \(the retry schedule\) until /m);
    expect(output).toMatch(/^1 .* 400 +\{"received":true\}$/m);
    expect(output).toContain('Masthead-Event-Id: lost');
    const { output: body } = await ops('deliveries', 'show', await lost(), '--body');
    expect(JSON.parse(body)).toMatchObject({ event: 'post.deleted' });
  });

  it('sends the named deliveries again, and stops at an unknown id', async () => {
    const { code, output, errors } = await ops('deliveries', 'redeliver', await lost(), '0'.repeat(24), '--json');
    expect(code).toBe(1);
    expect(objectsIn(output)).toMatchObject([{ event_id: 'lost', trigger: 'redelivery' }]);
    expect(errors).toContain(`No delivery has the id ${'0'.repeat(24)}.`);
    expect(await ops('deliveries', 'show', 'lost')).toMatchObject({ code: 2 });
    const { output: text } = await ops('deliveries', 'redeliver', await lost(), '0'.repeat(24));
    expect(text).toMatch(/\n\nSent 1 of 2 deliveries again\.\n$/);
  });

  it.each([
    [
      { reason: 'circuit_breaker', until: null },
      'circuit_breaker (the next probe of a webhook that keeps failing, or an answer that is late)',
    ],
    [{ reason: 'full_moon', until: null }, 'full_moon'],
  ])('explains why a delivery waits: %j', async (waiting_for, text) => {
    const id = await lost();
    const shown = JSON.parse((await ops('deliveries', 'show', id, '--json')).output);
    answerWith((_method, path) =>
      path.includes(`/deliveries/${id}/`) ? Response.json({ deliveries: [{ ...shown, waiting_for }] }) : undefined,
    );
    expect((await ops('deliveries', 'show', id)).output).toContain(`waits for      ${text}\n`);
  });
});

describe('deliveries tail', () => {
  it('prints each delivery when it appears or changes, and exits with code 0 at Ctrl-C', async () => {
    const [first] = objectsIn((await ops('deliveries', 'list', '--event-id', 'first', '--json')).output);
    const id = first.id.replace(/.$/, (last: string) => (last === 'f' ? 'e' : 'f'));
    const tailed = { ...first, id, event_id: 'tailed', status: 'retrying', attempts: 1 };
    let polls = 0;
    answerWith((_method, path) => {
      polls += 1;
      // The cursor of a page is followed within a poll.
      const meta = { pagination: { limit: 100, next: path.includes('cursor=') || polls === 1 ? null : 'next' } };
      if (polls === 1) return Response.json({ deliveries: [first], meta });
      if (path.includes('cursor=')) return Response.json({ deliveries: [first], meta });
      const changed = polls < 6 ? tailed : { ...tailed, status: 'delivered', attempts: 2 };
      return Response.json({ deliveries: [changed], meta });
    });
    const { code, output } = await as(keys.owner)(
      ['deliveries', 'tail', '--webhook', webhook.id, '--since', '1h', '--every', '0.1'],
      (printed) => {
        if (/delivered {2}2 att\./.test(printed)) process.emit('SIGINT');
      },
    );
    expect(code).toBe(0);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(4, 6).join(' '));
    expect(lines).toEqual(['delivered 1 att.', 'retrying 1 att.', 'delivered 2 att.']);
  });
});

describe('replay', () => {
  it('waits until the replay has finished, and prints how many deliveries it has sent', async () => {
    answerWith(async (method, path) => {
      if (method === 'GET' && path.includes('/replays/')) await stack.drain('replays');
      return undefined;
    });
    const { code, output } = await ops('replay', webhook.id, '--since', '1h', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ state: 'finished', progress: { replayed: 3 } });
  });

  it('returns at once with --no-wait, and requires --since', async () => {
    expect(await ops('replay', broken.id, '--since', '1h', '--no-wait')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^state +running$/m),
    });
    expect(await ops('replay', broken.id)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^--since is missing: /),
    });
  });
});

describe('stats', () => {
  it('prints counts, and for each problem the command that helps', async () => {
    await stack.sendDead('mail', { mail: 'lost' });
    const { code, output } = await ops('stats', '--period', 'hour');
    expect(code).toBe(0);
    expect(output).toContain('queue mail has 1 dead letter: npm run ops -- redrive --stage ');
    expect(output).toMatch(/^accepted +5$/m);
    expect(output).toMatch(/^FROM +ACCEPTED +DELIVERED +FAILED ATTEMPTS +FAILED +HELD +P50 +P95$/m);
    expect(output).toContain(
      `webhook ${broken.id} (${broken.target_url.slice('http://'.length)}, post.deleted, Demo integration) fails ` +
        `(400). ${new URL(broken.target_url).host} does not accept the request. The response says why; ` +
        `the event or its API version may not fit. npm run ops -- deliveries list --webhook ${broken.id}`,
    );
    expect(JSON.parse((await ops('stats', '--json')).output)).toMatchObject({ period: 'day', accepted: 5 });
  });
});

describe('deliveries redeliver --failed', () => {
  it('sends what has failed since a time and was not sent again, and prints the number before and after', async () => {
    const [known] = objectsIn((await ops('deliveries', 'list', '--event-id', 'first', '--json')).output);
    const failed = (event_id: string, end: string) => ({
      ...known,
      event_id,
      status: 'failed',
      id: `${known.id.slice(0, 22)}${end}`,
    });
    const again = { ...failed('repeated', '03'), status: 'delivered', trigger: 'redelivery' };
    const deliveries = [again, failed('repeated', '02'), failed('lost', '01')];
    const posted: string[] = [];
    answerWith((method, path) => {
      if (method === 'POST') posted.push(path);
      const found = method === 'POST' ? [{ ...failed('lost', '04'), status: 'pending' }] : deliveries;
      return Response.json({ deliveries: found, meta: { pagination: { limit: 100, next: null } } });
    });
    const command = ['deliveries', 'redeliver', '--failed', '--since', 'today'];
    expect(await ops(...command)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Send 1 delivery again? Add --yes'),
    });
    expect(posted).toEqual([]);
    expect(await ops(...command, '--yes')).toEqual({
      code: 0,
      output: expect.stringMatching(/\n\nSent 1 delivery again\.\n$/),
      errors: 'Sending 1 delivery again.\n',
    });
    expect(posted).toEqual([expect.stringMatching(/01\/redeliver\/$/)]);
  });

  it('says so if no delivery has failed', async () => {
    const args = ['deliveries', 'redeliver', '--failed', '--since', 'today', '--webhook', webhook.id, '--yes'];
    expect((await ops(...args)).output).toMatch(
      /^Nothing to send: no delivery has failed for good .* --status retrying\. .* --status held\n$/,
    );
  });

  it.each([
    [['--failed'], '--failed needs --since, such as --since today.'],
    [[], 'Name the deliveries by their ids, or use --failed with --since.'],
    [['--failed', '--since', '1h', '019acb63f5e8a1b2c3d4e5f6'], 'Name the deliveries by their ids, or use --failed'],
  ])('refuses %j', async (args, message) => {
    expect(await ops('deliveries', 'redeliver', ...args)).toMatchObject({
      code: 2,
      errors: expect.stringContaining(message),
    });
  });
});
