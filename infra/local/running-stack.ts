/** The running stage `local` with the demo's receiver: starts it, prints what it does, and stops it. */
import {
  activityPrinter,
  deliveryActivities,
  errorActivities,
  isConsoleRefresh,
  requestActivity,
  traceActivities,
  watchMails,
} from './activity.ts';
import { startReceiver } from './demo/receiver.ts';
import { secretsOfTargets } from './demo/secrets.ts';
import { followLog } from './follow-log.ts';
import { type Home, leaveHome, writeStackFile } from './home.ts';
import { keepKeys, keyText } from './keys.ts';
import { type LocalStack, startLocalStack } from './local-stack.ts';
import { onParentEnd } from './parent-process.ts';
import { keepPorts, wantedPorts } from './ports.ts';
import { readyLine, startScreen } from './start-screen.ts';
import { hasKeys, readKeys } from './terminal-keys.ts';

/** Ctrl-C ends the process within two seconds, even if a part does not stop. */
const stopWithinMs = 1800;

export interface Companion {
  stop(): Promise<void>;
}

interface Options {
  readonly memory: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly port: number | undefined;
  readonly plan: unknown;
  readonly isDebugged: boolean;
  readonly assembly: Promise<string>;
  /** When the start began, by `performance.now()`. */
  readonly startedAt: number;
}

/** Called before the first function runs; `end` stops the stack and ends the process with this code. */
export type Accompany = (stack: LocalStack, end: (code: number) => Promise<void>) => Promise<Companion>;

/** Starts the stage, and resolves when it is ready. */
export const startRunning = async (
  home: Home,
  { memory, quiet, json, port, plan, isDebugged, assembly, startedAt }: Options,
  accompany?: Accompany,
): Promise<void> => {
  const running: Companion[] = [];
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    const end = () => {
      leaveHome(home);
      process.exit(code);
    };
    setTimeout(end, stopWithinMs).unref();
    await Promise.all(running.map((part) => part.stop()));
    end();
  };
  const wanted = wantedPorts(home, port);
  const show = activityPrinter(json ? 'json' : quiet ? 'none' : 'text');
  const stack = await startLocalStack({
    assembly: () => assembly,
    ports: wanted.ports,
    orNextPort: wanted.orNext,
    isDebugged,
    watch: watchMails(show),
    onAnswer(answered) {
      // The looks of an open console would push the addresses of the start screen out of sight.
      if (json || !isConsoleRefresh(answered)) show(requestActivity(answered));
    },
    data: memory ? undefined : home.data,
    logFile: home.logFile,
    onPartEnd(message) {
      console.error(`${message}. The stack stops.`);
      void stop(1);
    },
    ...(plan !== undefined && { plan }),
  });
  running.push(stack);
  stack.bundled.catch((error: Error) => {
    console.error(`${error.message}\nThe stack stops.`);
    void stop(1);
  });
  const receiver = await startReceiver(wanted.ports.receiver, (origin) => secretsOfTargets(stack, origin));
  running.push(receiver);
  const moved = keepPorts(home, wanted, { ...stack.ports, receiver: receiver.port });
  // The terminal and npm both pass Ctrl-C on, so a second signal has no meaning of its own.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  if (process.env.npm_lifecycle_event !== undefined) onParentEnd(() => stop(0));
  if (accompany !== undefined) running.push(await accompany(stack, stop));
  const keys = keepKeys(home);
  const seeded = await stack.invoke('setup/seed', keys);
  if (!seeded.ok) throw new Error(`setup/seed failed: ${seeded.error.message}`);
  // Free its environment, which is not needed again.
  stack.poolOf('setup/seed').cool();
  const staffKeys = Object.fromEntries(keys.staff.map((member) => [member.role, keyText(member)]));
  const [integrationKey = '', otherIntegrationKey = ''] = keys.integrations.map(keyText);
  const file = {
    baseUrl: stack.baseUrl,
    adminKey: staffKeys.Owner ?? '',
    integrationKey,
    otherIntegrationKey,
    staffKeys,
    ownerEmail: keys.staff.find(({ role }) => role === 'Owner')?.email ?? '',
    allowedOrigin: stack.allowedOrigin,
    mailbox: stack.mailbox,
    receiver: receiver.origin,
    receiverPage: receiver.page,
    received: receiver.received,
    proxy: stack.proxy,
    aws: stack.aws,
    table: stack.tables[0] ?? '',
    queues: stack.queues,
    pid: process.pid,
  };
  writeStackFile(home, file);
  const ms = performance.now() - startedAt;
  if (json) console.log(readyLine(file, home, moved, ms));
  else console.log([...moved, startScreen(file, home, memory, ms, hasKeys())].join('\n'));
  if (!json && hasKeys()) running.push(readKeys(file, () => void stop(0)));
  if (!quiet)
    running.push(
      followLog(home.logFile, (line) => {
        for (const activity of readers.flatMap((read) => read(line))) show(activity);
      }),
    );
  for (const name of wayOfAnEvent) stack.poolOf(name).warm();
};

const readers = [traceActivities, deliveryActivities, errorActivities];

/** Functions that have an environment from the start, so that the first event does not wait for them. */
const wayOfAnEvent = ['events/publish', 'deliveries/fan-out', 'deliveries/deliver'];
