/** A stack in memory that runs one function at a time, on request, with events that refer to the stack's data. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { adminToken } from '../../command-line/admin-token.ts';
import { call } from '../../command-line/client.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { textOf } from '../../command-line/file-at.ts';
import type { Run } from '../../emulator/lambda/environment.ts';
import type { Call, Step } from '../../emulator/proxy/call.ts';
import { sentMails } from '../demo/mailbox.ts';
import { keyText, makeKeys } from '../keys.ts';
import { type LocalStack, startLocalStack } from '../local-stack.ts';
import { invitationToken, invite, movedSite, newSite, samples } from '../samples.ts';
import { sampleEvent } from './sample-event.ts';

export interface ObservedCall {
  readonly call: Call;
  readonly status: number;
  readonly ms: number;
}

export interface Observed {
  readonly run: Run;
  readonly calls: readonly ObservedCall[];
  readonly log: string;
}

export interface Workbench {
  /** Runs a function with its sample event, or with the one in a file. @throws Error for an unknown placeholder */
  invoke(functionName: string, file?: string): Promise<Observed>;
  /** Returns a function's sample event, with objects of its own. */
  sampleOf(functionName: string): Promise<unknown>;
  readonly bundleOf: LocalStack['bundleOf'];
  readonly calls: readonly ObservedCall[];
  stop(): Promise<void>;
}

/** Starts and seeds the stack. Rejects as `startStack` does. */
export const startWorkbench = async (): Promise<Workbench> => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-invoke-'));
  const logFile = join(folder, 'functions.log');
  const calls: ObservedCall[] = [];
  const watch: Step = async (observed, next) => {
    const began = performance.now();
    let status = 0;
    try {
      const answer = await next(observed);
      status = answer.status;
      return answer;
    } finally {
      calls.push({ call: observed, status, ms: performance.now() - began });
    }
  };
  const onPartEnd = (message: string) => console.error(message);
  const stack = await startLocalStack({
    ports: { api: 0, proxy: 0, mailbox: 0 },
    data: undefined,
    logFile,
    triggers: false,
    watch,
    onPartEnd,
  });
  const stop = async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const keys = makeKeys();
  const [seeded] = await Promise.all([stack.invoke('setup/seed', keys), stack.bundled]).catch(async (error) => {
    await stop();
    throw error;
  });
  if (!seeded.ok) {
    await stop();
    throw new Error(`setup/seed failed: ${seeded.error.message}`);
  }
  const [adminKey = '', integrationKey = ''] = [...keys.staff, ...keys.integrations.slice(0, 1)]
    .filter((one) => !('role' in one) || one.role === 'Owner')
    .map(keyText);
  // Port 9 (discard) is closed on most machines: deliveries fail at once.
  const receiver = 'http://127.0.0.1:9';
  const readLog = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');

  const run = async (functionName: string, file: string | undefined, resolve: Resolve): Promise<Observed> => {
    const event = await readEvent(functionName, file, resolve);
    const [before, first] = [readLog().length, calls.length];
    const result = await stack.invoke(functionName, event);
    return { run: result, calls: calls.slice(first), log: readLog().slice(before) };
  };

  /** Returns the values of placeholders for one event; the objects that they name are created on first use. */
  const valuesOfOne = (): Resolve => {
    // Letters only: digits could be a phone number, which no name may have.
    const sampleName = `Sample ${randomBytes(4)
      .toString('hex')
      .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
    const sampled = { ...stack, adminKey, integrationKey, receiver, sampleName };
    const known = new Map<string, Promise<unknown>>();
    const once = async <T>(name: string, make: () => Promise<T>): Promise<T> => {
      const made = known.get(name) ?? make();
      known.set(name, made);
      return (await made) as T;
    };
    const runSample = (functionName: string) =>
      once(functionName, async () => {
        const { run: ended } = await run(functionName, undefined, resolve);
        if (!ended.ok) throw new Error(`${functionName}, which the event needs, failed: ${ended.error.message}`);
      });
    // The queue has the events of the bus only: a published one is stored and sent at once.
    const queuedEvent = {
      kind: 'event',
      id: `sample-${randomBytes(4).toString('hex')}`,
      publisher: 'sample',
      event: 'post.published',
      accepted_at: new Date().toISOString(),
      payload: { post: { current: { title: 'Hello' }, previous: {} } },
    };
    const inboundSecret = async () => {
      const path = `/admin/integrations/${await resolve('integration')}/inbound_secret/`;
      return v.parse(secretsSchema, await call({ ...sampled, key: adminKey }, 'POST', path)).secrets[0].secret;
    };
    const invited = () => once('invited', () => invite(sampled));
    const signedIn = () =>
      once('signed in', async () => {
        const { run: ended } = await run('sessions/create', undefined, resolve);
        const { multiValueHeaders, body } = v.parse(signedInSchema, ended.ok ? ended.result : ended.error);
        return { ...body.sessions[0], cookie: /=([^;]+)/.exec(multiValueHeaders['Set-Cookie'][0])?.[1] };
      });
    const values: Readonly<Record<string, () => Promise<string | undefined>>> = {
      ...Object.fromEntries(Object.entries(samples).map(([kind, find]) => [kind, () => find(sampled)])),
      random: async () => randomBytes(4).toString('hex'),
      owner_token: async () => adminToken(adminKey),
      integration_token: async () => adminToken(integrationKey),
      ghost_body: async () => ghostBody,
      async connected_site() {
        await inboundSecret();
        return resolve('integration');
      },
      async ghost_signature() {
        const secret = await inboundSecret();
        const now = Date.now();
        const hash = createHmac('sha256', secret).update(`${ghostBody}${now}`).digest('hex');
        return `sha256=${hash}, t=${now}`;
      },
      new_site: () => newSite(sampled),
      moved_site: () => movedSite(sampled),
      invite: async () => (await invited()).id,
      email: async () => (await invited()).email,
      mail_message: async () => messageWith((await invited()).id, /-mail$/, calls),
      async replay_message() {
        const id = await resolve('replay');
        return id === undefined ? undefined : messageWith(id, /-replays$/, calls);
      },
      async token() {
        await runSample('mail/send');
        return invitationToken(sampled, (await invited()).email);
      },
      async sign_in_token() {
        const request = await run('sessions/request', undefined, resolve);
        const message = messageWith('sign_in', /-mail$/, request.calls);
        if (message === undefined)
          throw new Error(`sessions/request, which the event needs, sent no mail: ${JSON.stringify(request.run)}`);
        const mailed = async (name: string) => (name === 'mail_message' ? message : resolve(name));
        await run('mail/send', undefined, mailed);
        const newest = (await sentMails(stack)).findLast(({ body }) => signInLink.test(body.text));
        return signInLink.exec(newest?.body.text ?? '')?.[1];
      },
      origin: async () => new URL(stack.baseUrl).origin,
      session: async () => (await signedIn()).id,
      session_cookie: async () => (await signedIn()).cookie,
      async event_message() {
        await resolve('webhook');
        return JSON.stringify(queuedEvent);
      },
      async delivery_message() {
        await runSample('deliveries/fan-out');
        return messageWith(queuedEvent.id, /deliveries$/, calls);
      },
    };
    const resolve: Resolve = (name) => once(name, async () => values[name]?.());
    return resolve;
  };
  return {
    invoke: (functionName, file) => run(functionName, file, valuesOfOne()),
    sampleOf: (functionName) => readEvent(functionName, undefined, valuesOfOne()),
    bundleOf: stack.bundleOf,
    calls,
    stop,
  };
};

const ghostBody = '{"post":{"current":{"title":"Hello"},"previous":{}}}';
const secretsSchema = v.object({ secrets: v.tuple([v.object({ secret: v.string() })]) });
const signedInSchema = v.object({
  multiValueHeaders: v.object({ 'Set-Cookie': v.tupleWithRest([v.string()], v.string()) }),
  body: v.pipe(v.string(), v.parseJson(), v.object({ sessions: v.tuple([v.object({ id: v.string() })]) })),
});
const signInLink = /\/sign-in\/([\w-]+)\//;

type Resolve = (name: string) => Promise<string | undefined>;

/** Reads an event and replaces its placeholders, such as `{{webhook}}`, in turn. @throws UsageError for bad JSON */
const readEvent = async (functionName: string, file: string | undefined, resolve: Resolve): Promise<unknown> => {
  let text = file === undefined ? sampleEvent(functionName) : textOf(file, 'The event file');
  for (const name of new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, found = '']) => found))) {
    const value = await resolve(name);
    if (value === undefined)
      throw new Error(
        `${file ?? functionName}: {{${name}}} is not a known placeholder. test/events/README.md lists them.`,
      );
    text = text.replaceAll(`{{${name}}}`, () => JSON.stringify(value).slice(1, -1));
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The event file ${file} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
};

const message = v.object({ MessageBody: v.string() });
const sending = v.object({
  QueueUrl: v.string(),
  Entries: v.optional(v.array(message), []),
  MessageBody: v.optional(v.string()),
});

const messageWith = (id: string, queue: RegExp, calls: readonly ObservedCall[]): string | undefined =>
  calls
    .filter((observed) => observed.call.action.startsWith('SendMessage'))
    .map((observed) => v.parse(sending, observed.call.input))
    .filter(({ QueueUrl }) => queue.test(QueueUrl))
    .flatMap(({ Entries, MessageBody }) => [MessageBody ?? [], Entries.map((entry) => entry.MessageBody)].flat())
    .findLast((body) => body.includes(id));
