/** The questions that only a running stage answers (lab/reports/unproven.md), in the order in which they are asked. */
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { endpointLines, versionedLines } from '../../../shared/contract.ts';
import { physicalName } from '../../cdk/names.ts';
import {
  type Account,
  type Answer,
  asExpected,
  different,
  judged,
  type Made,
  notRun,
  type Question,
  type World,
} from './question.ts';

const second = 1000;
const json = { 'Content-Type': 'application/json' };

const delivery = v.object({
  id: v.string(),
  event_id: v.string(),
  last_attempt_at: v.nullable(v.string()),
  last_status: v.nullable(v.string()),
});
const deliveries = v.object({ deliveries: v.array(delivery) });
const withLog = v.object({ deliveries: v.tuple([v.object({ log: v.array(v.object({ started_at: v.string() })) })]) });
const events = v.object({ events: v.array(v.object({ id: v.string() })) });
const ids = v.object({ invites: v.tuple([v.object({ id: v.string(), status: v.string() })]) });
const roles = v.object({ roles: v.array(v.object({ id: v.string(), name: v.string() })) });
const envelope = v.object({ errors: v.tuple([v.object({ type: v.string() })]) });

const withMade =
  (ask: (world: World, made: Made) => Promise<Answer>): Question['ask'] =>
  async (world) =>
    world.made === undefined ? notRun('no integration could be made: see transactions') : ask(world, world.made);

const inAccount =
  (part: string, ask: (world: World, account: Account) => Promise<Answer>): Question['ask'] =>
  async (world) =>
    world.account === undefined ? notRun(`the local stack has no ${part}`) : ask(world, world.account);

/** Asks until there is an answer, or the time is over. */
const until = async <T>(world: World, ms: number, ask: () => Promise<T | undefined>): Promise<T | undefined> => {
  for (const end = world.now() + ms; ; await world.wait(second)) {
    const found = await ask();
    if (found !== undefined || world.now() >= end) return found;
  }
};

const typeIn = (body: unknown): string => {
  const parsed = v.safeParse(envelope, body);
  return parsed.success ? parsed.output.errors[0].type : 'no error envelope';
};

const publish = async (world: World, event: string, payload: object, count = 1): Promise<readonly string[]> => {
  const body = JSON.stringify({ events: Array.from({ length: count }, () => ({ event, payload })) });
  const path = '/admin/events/';
  const answer = await world.send({ method: 'POST', path, as: 'integration', headers: json, body });
  const parsed = v.safeParse(events, answer.body);
  return parsed.success ? parsed.output.events.map(({ id }) => id) : [];
};

const deliveriesOf = async (world: World, webhook: string, limit = 100) => {
  const path = `/admin/webhooks/${webhook}/deliveries/?limit=${limit}`;
  return v.parse(deliveries, (await world.send({ method: 'GET', path, as: 'owner' })).body).deliveries;
};

const attempted = (world: World, webhook: string, event: string | undefined, ms: number) =>
  until(world, ms, async () =>
    (await deliveriesOf(world, webhook)).find((one) => one.event_id === event && one.last_attempt_at !== null),
  );

const tag = { tag: { current: { name: 'prove' }, previous: {} } };
const page = { page: { current: { title: 'prove' }, previous: {} } };

/** A request of a Ghost site with a body of so many bytes. */
const ofGhost = async (world: World, { integrationId, inboundSecret }: Made, bytes: number) => {
  const html = 'x'.repeat(bytes);
  const body = JSON.stringify({ post: { current: { html }, previous: {} } });
  const at = world.now();
  const signature = `sha256=${createHmac('sha256', inboundSecret).update(`${body}${at}`).digest('hex')}, t=${at}`;
  const path = `/inbound/ghost/${integrationId}/post.edited/`;
  return world.send({ method: 'POST', path, headers: { ...json, 'X-Ghost-Signature': signature }, body });
};

const mail = async (world: World, email: string, ms: number) => {
  const found = v.parse(roles, (await world.send({ method: 'GET', path: '/admin/roles/', as: 'owner' })).body);
  const role_id = found.roles.find(({ name }) => name === 'Author')?.id;
  const body = JSON.stringify({ invites: [{ email, role_id }] });
  const answer = await world.send({ method: 'POST', path: '/admin/invites/', as: 'owner', headers: json, body });
  const [invite] = v.parse(ids, answer.body).invites;
  const path = `/admin/invites/${invite.id}/`;
  world.removeLater(path);
  const status = async () =>
    v.parse(ids, (await world.send({ method: 'GET', path, as: 'owner' })).body).invites[0].status;
  const ended = await until(world, ms, async () => ((await status()) === 'pending' ? undefined : status()));
  return ended ?? 'pending';
};

const seconds = (ms: number): string => `${(ms / second).toFixed(1)} s`;
const largest = (rows: readonly Readonly<Record<string, string>>[], field: string): number =>
  Math.max(0, ...rows.map((row) => Number(row[field] ?? 0)));

export const questions: readonly Question[] = [
  {
    name: 'transactions',
    expects:
      'IAM checks the keys of each action of a transaction by themselves, or the stage has transactionGrants: union.',
    async ask({ made, failure, config }) {
      if (made !== undefined) return asExpected();
      if (failure === undefined) return different('the API gave no answer');
      const isRefusal = failure.status >= 500 && config.transactionGrants === 'narrow';
      const way = isRefusal ? " If the log has AccessDenied, set transactionGrants: 'union', and deploy." : '';
      return different(`the first integration got ${failure.status} (${typeIn(failure.body)}).${way}`);
    },
  },
  {
    name: 'console',
    expects: 'The first page of the console takes less than three seconds, cold start included.',
    async ask({ send }) {
      const first = await send({ method: 'GET', path: '/console/' });
      const again = await send({ method: 'GET', path: '/console/' });
      const isRight = first.status === 200 && first.ms < 3 * second;
      return judged(isRight, `${first.status} after ${seconds(first.ms)}, then ${seconds(again.ms)}`);
    },
  },
  {
    name: 'unknown path',
    expects: 'The gateway answers an unknown path with 404 in the error envelope.',
    async ask({ send }) {
      const { status, body } = await send({ method: 'GET', path: '/admin/no-such-thing/' });
      return judged(status === 404 && typeIn(body) === 'NotFoundError', `${status}, ${typeIn(body)}`);
    },
  },
  {
    name: 'compressed body',
    expects:
      'The gateway expands a compressed body, so that the function finds no webhook in it (400), or the function ' +
      'refuses it (415).',
    ask: withMade(async ({ send }) => {
      const body = gzipSync('{"webhooks":[]}');
      const headers = { ...json, 'Content-Encoding': 'gzip' };
      const { status } = await send({ method: 'POST', path: '/admin/webhooks/', as: 'integration', headers, body });
      return judged(status === 400 || status === 415, String(status));
    }),
  },
  {
    name: 'large body',
    expects: 'The gateway answers a body over 10 MB with 413 in the error envelope.',
    async ask({ send }) {
      const body = 'x'.repeat(11 * 1024 * 1024);
      const { status, body: answer } = await send({ method: 'POST', path: '/admin/events/', headers: json, body });
      return judged(status === 413 && typeIn(answer) === 'RequestEntityTooLargeError', `${status}, ${typeIn(answer)}`);
    },
  },
  {
    name: 'posts of Ghost',
    expects: 'A post of 4.5 MB from a Ghost site is accepted, and one of 7 MB gets 413.',
    ask: withMade(async (world, made) => {
      const [small, large] = [await ofGhost(world, made, 4_500_000), await ofGhost(world, made, 7_000_000)];
      return judged(small.status === 202 && large.status === 413, `${small.status} and ${large.status}`);
    }),
  },
  {
    name: 'exploit in a post',
    expects: 'An event that quotes an exploit is accepted; a web ACL only counts it.',
    ask: withMade(async (world) => {
      const quoted = { tag: { current: { name: '../../etc/passwd <script>alert(1)</script>' }, previous: {} } };
      const accepted = await publish(world, 'tag.edited', quoted);
      return judged(accepted.length === 1, accepted.length === 1 ? 'accepted' : 'refused');
    }),
  },
  {
    name: 'delivery and delay',
    expects:
      'An event arrives within 20 seconds, and a failed attempt is repeated after the seconds of the schedule, at ' +
      'most a minute late.',
    ask: withMade(async (world, { webhook }) => {
      const [event] = await publish(world, 'tag.added', tag);
      const found = await attempted(world, webhook, event, 20 * second);
      if (found === undefined) return different('no attempt within 20 s');
      const [, wait = 0] = world.config.settings.deliveries.retryAfterSeconds;
      const path = `/admin/webhooks/${webhook}/deliveries/${found.id}/`;
      const gap = await until(world, (wait * 1.2 + 90) * second, async () => {
        const { log } = v.parse(withLog, (await world.send({ method: 'GET', path, as: 'owner' })).body).deliveries[0];
        const [first, next] = log.map(({ started_at }) => Date.parse(started_at));
        return first === undefined || next === undefined ? undefined : next - first;
      });
      if (gap === undefined) return different(`${found.last_status}, and no second attempt`);
      const isRight = found.last_status === '404' && gap >= wait * second && gap <= (wait * 1.2 + 60) * second;
      return judged(isRight, `${found.last_status}, repeated after ${seconds(gap)}`);
    }),
  },
  {
    name: 'fair queues',
    expects: "An event of one webhook overtakes half of another webhook's backlog.",
    ask: withMade(async (world, { webhook, busyWebhook }) => {
      if (world.account === undefined) return notRun('the local queues are not fair');
      const backlog: string[] = [];
      for (let batch = 0; batch < 10; batch++) backlog.push(...(await publish(world, 'page.added', page, 10)));
      const [event] = await publish(world, 'tag.added', tag);
      const own = await attempted(world, webhook, event, 120 * second);
      const times = await until(world, 120 * second, async () => {
        const found = await deliveriesOf(world, busyWebhook);
        const first = found.filter((one) => backlog.includes(one.event_id)).map((one) => one.last_attempt_at);
        return first.length >= backlog.length && !first.includes(null) ? first.map(String).toSorted() : undefined;
      });
      if (own === undefined || times === undefined) return different('not all were attempted within two minutes');
      const before = times.filter((time) => time < String(own.last_attempt_at)).length;
      return judged(before <= times.length / 2, `${before} of ${times.length} were attempted before it`);
    }),
  },
  {
    name: 'mail',
    expects: "A mail to SES's mailbox simulator is sent, in SES's sandbox too.",
    ask: withMade(async (world) => {
      const began = world.now();
      const status = await mail(world, `success+prove-${began}@simulator.amazonses.com`, 60 * second);
      return judged(status === 'sent', `${status} after ${seconds(world.now() - began)}`);
    }),
  },
  {
    name: 'sandbox',
    expects: "SES's sandbox refuses a mail to an address that is not verified.",
    ask: withMade(async (world) => {
      if (world.account === undefined) return notRun('the local mailbox accepts every address');
      if (!world.config.settings.mail.sandbox) return notRun('the stage is not in the sandbox');
      const status = await mail(world, `prove-${world.now()}@example.com`, 60 * second);
      return judged(status !== 'sent' && status !== 'pending', status);
    }),
  },
  {
    name: 'redrive',
    expects: 'A dead letter is moved back, and its worker takes it.',
    async ask(world) {
      const { count, add, redrive } = world.deadLetters;
      if ((await count()) > 0) return notRun('the queue replays has dead letters of its own');
      await add(JSON.stringify({ replay_id: '0'.repeat(24) }));
      const isThere = await until(world, 60 * second, async () => ((await count()) > 0 ? true : undefined));
      if (!isThere) return different('the dead letter was not counted within a minute');
      await redrive();
      await world.wait(2 * second);
      const left = await count();
      return judged(left === 0, `${left} left`);
    },
  },
  {
    name: 'alarm',
    expects: 'An alarm that goes off notifies its topic.',
    ask: inAccount('CloudWatch', async ({ config }, { release }) => {
      if (!config.features.alarms) return notRun('features.alarms is off');
      const history = await release(physicalName(config, 'throttles'));
      const executed = history.filter((text) => /^Successfully executed action/.test(text));
      return judged(executed.length > 0, executed.length > 0 ? 'notified' : (history[0] ?? 'no action in its history'));
    }),
  },
  {
    name: 'failed invocation',
    expects: 'Lambda logs an invocation that failed, although its log level is WARN.',
    ask: inAccount('CloudWatch Logs', async (world, { invoke, query }) => {
      const failed = await invoke(physicalName(world.config, 'setup/seed'), { staff: 1 });
      if (failed === undefined) return different('the invocation did not fail');
      const rows = await until(world, 180 * second, async () => {
        const found = await query('filter type = "platform.report" and record.status = "error" | limit 1', 1);
        return found.length > 0 ? found : undefined;
      });
      return judged(rows !== undefined, rows === undefined ? 'no report within three minutes' : 'a report');
    }),
  },
  {
    name: 'refused by IAM',
    expects: 'No call of a function was refused by IAM, the query of the index included.',
    ask: inAccount('CloudWatch Logs', async (_world, { query }) => {
      const rows = await query(
        'filter @message like "not authorized to perform" | stats count() as lines by function',
        1,
      );
      return judged(rows.length === 0, rows.map((row) => `${row.function}: ${row.lines}`).join(', ') || 'none');
    }),
  },
  {
    name: 'cold starts',
    expects: 'A cold start takes less than two seconds.',
    ask: inAccount('CloudWatch Logs', async (_world, { query }) => {
      const rows = await query(
        'filter message = "memory used" | stats max(init_ms) as ms by function | sort ms desc',
        24,
      );
      if (rows.length === 0) return notRun('the logs have no cold start of the last day');
      const longest = largest(rows, 'ms');
      return judged(longest < 2 * second, `${seconds(longest)}, of ${rows[0]?.function}`);
    }),
  },
  {
    name: 'saved queries',
    expects: 'Each saved query runs.',
    ask: inAccount('CloudWatch Logs', async (_world, { savedQueries, query }) => {
      const saved = Object.entries(await savedQueries());
      if (saved.length === 0) return notRun('features.dashboard is off');
      const failures: string[] = [];
      for (const [name, text] of saved)
        await query(text, 1).catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
      return judged(failures.length === 0, failures.join('; ') || `${saved.length} ran`);
    }),
  },
  {
    name: 'method limits',
    expects: 'Only the methods for strangers, and those that the stage names, have a limit.',
    ask: inAccount('API Gateway', async ({ config }, { methodSettings }) => {
      const settings = await methodSettings();
      if (settings === undefined) return notRun('the id of the API is not in its URL');
      const known = (endpointLines().length + versionedLines().length) * 2;
      const count = Object.keys(settings).length;
      const most = 6 + 4 * Object.keys(config.throttleOf).length + (config.throttle === undefined ? 0 : known);
      return judged(count > 0 && count <= most, `${count} methods`);
    }),
  },
];
