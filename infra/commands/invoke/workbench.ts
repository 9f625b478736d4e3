/** One stack in memory on which functions run by hand, one at a time: nothing starts them but who asks. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Call, Step } from '../../emulator/edge/call.ts';
import type { Run } from '../../emulator/lambda/pool.ts';
import { adminToken } from '../admin-token.ts';
import { findHome } from '../home.ts';
import { keepKeys, keyText } from '../keys.ts';
import { startLocalStack } from '../local-stack.ts';
import { readEvent, type Sources, sampleEventFile } from './sample-event.ts';

/** One AWS call as it went through the edge. */
export interface SeenCall {
  readonly call: Call;
  readonly status: number;
  readonly ms: number;
}

/** What came of running a function once. */
export interface Observed {
  readonly event: unknown;
  readonly run: Run;
  readonly calls: readonly SeenCall[];
  /** What the function has written. */
  readonly log: string;
}

export interface Workbench {
  /** Runs a function with the event in a file, after all that the event refers to, which is done anew each time. */
  invoke(functionName: string, file: string): Promise<Observed>;
  stop(): Promise<void>;
}

/** Starts the parts, seeded with the keys of `keys.ts`. Rejects as `startStack` does. */
export const startWorkbench = async (): Promise<Workbench> => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-invoke-'));
  const home = findHome(folder);
  let calls: SeenCall[] = [];
  const watch: Step = async (call, next) => {
    const began = performance.now();
    let status = 0;
    try {
      const answer = await next(call);
      status = answer.status;
      return answer;
    } finally {
      calls.push({ call, status, ms: performance.now() - began });
    }
  };
  const onPartEnd = (message: string) => console.error(message);
  const stack = await startLocalStack({
    port: 0,
    data: undefined,
    logFile: home.logFile,
    triggers: false,
    watch,
    onPartEnd,
  });
  const stop = async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const keys = keepKeys(home.keysFile);
  const seeded = await stack.invoke('setup/seed', keys);
  if (!seeded.ok) {
    await stop();
    throw new Error(`setup/seed failed: ${seeded.error.message}`);
  }
  const log = () => (existsSync(home.logFile) ? readFileSync(home.logFile, 'utf8') : '');

  const invoke = async (functionName: string, file: string, sources: Sources): Promise<Observed> => {
    const event = await readEvent(file, sources);
    calls = [];
    const before = log().length;
    const run = await stack.invoke(functionName, event);
    return { event, run, calls, log: log().slice(before) };
  };
  /** What one event refers to; each function runs once for it. */
  const sourcesOfOne = (): Sources => {
    const answers = new Map<string, Promise<unknown>>();
    const results: unknown[] = [];
    const made: Call[] = [];
    const run = async (functionName: string) => {
      const observed = await invoke(functionName, sampleEventFile(functionName), sources);
      if (!observed.run.ok)
        throw new Error(`${functionName}, which the event refers to, failed: ${observed.run.error.message}`);
      results.push(observed.run.result);
      made.push(...observed.calls.map(({ call }) => call));
      return observed.run.result;
    };
    const callsOf = async (functionName: string) => {
      await sources.answerOf(functionName);
      return made.filter(({ caller }) => caller.endsWith(`-${functionName.replaceAll('/', '-')}`));
    };
    const sources: Sources = {
      token(whose) {
        const [integration] = keys.integrations;
        const key = whose === 'integration' ? integration : keys.staff.find(({ role }) => role === whose);
        if (key === undefined) throw new Error(`nobody has a key of ${whose}`);
        return adminToken(keyText(key));
      },
      answerOf(functionName) {
        const answer = answers.get(functionName) ?? run(functionName);
        answers.set(functionName, answer);
        return answer;
      },
      async messageOf(functionName, queue) {
        const bodies = (await callsOf(functionName)).flatMap((call) => bodiesTo(queue, call));
        const ids = idsIn(results);
        const own = (body: string) => ids.filter((id) => body.includes(id)).length;
        // There may be some for others, too, such as the subscribers of earlier events.
        const body = bodies.toSorted((a, b) => own(a) - own(b)).at(-1);
        if (body === undefined) throw new Error(`${functionName} sent no message to the queue ${queue}`);
        return body;
      },
      callsOf: async (functionName) =>
        (await callsOf(functionName)).map(({ input }) => JSON.stringify(input)).join('\n'),
    };
    return sources;
  };
  return { invoke: (functionName, file) => invoke(functionName, file, sourcesOfOne()), stop };
};

/** All ids in what functions have answered. */
const idsIn = (answers: readonly unknown[]): readonly string[] => [
  ...new Set(JSON.stringify(answers).match(/\b[0-9a-f]{24}\b/g)),
];

const entry = v.object({ MessageBody: v.string() });
const sending = v.object({
  QueueUrl: v.string(),
  Entries: v.optional(v.array(entry)),
  MessageBody: v.optional(v.string()),
});

const bodiesTo = (queue: string, call: Call): readonly string[] => {
  if (!call.action.startsWith('SendMessage')) return [];
  const { QueueUrl, Entries = [], MessageBody } = v.parse(sending, call.input);
  if (!QueueUrl.endsWith(`-${queue}`)) return [];
  return MessageBody === undefined ? Entries.map((message) => message.MessageBody) : [MessageBody];
};
