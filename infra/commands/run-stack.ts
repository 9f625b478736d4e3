/** Runs the stage `local` with the demo's receiver until Ctrl-C, for `npm start` and `npm run dev`. */
import { readFileSync } from 'node:fs';
import { open as openInspector } from 'node:inspector';
import { Option } from '@commander-js/extra-typings';
import { TemplateError } from '../emulator/cloudformation.ts';
import { FaultPlanError } from '../emulator/edge/fault-plan.ts';
import { PartMissingError } from '../emulator/parts/part.ts';
import { activityPrinter, deliveryActivities, requestActivity, watchMails } from './activity.ts';
import { command, sections } from './command.ts';
import { startReceiver } from './demo/receiver.ts';
import { secretsOfTargets } from './demo/secrets.ts';
import { UsageError } from './exit-codes.ts';
import { followLog } from './follow-log.ts';
import { clearHome, findHome, type Home, HomeError, leaveHome, takeHome, writeStackFile } from './home.ts';
import { keepKeys, keyText } from './keys.ts';
import { type LocalStack, startLocalStack } from './local-stack.ts';
import { onParentEnd } from './parent-process.ts';
import { keepPorts, wantedPorts } from './ports.ts';
import { readyLine, startScreen } from './start-screen.ts';
import { SynthesisError } from './template.ts';

/** Ctrl-C ends the process within two seconds, even if a part does not stop. */
const stopWithinMs = 1800;

/** Returns the command line of a command that runs a stack, without its action. */
export const stackCommand = (name: string) =>
  command(name)
    .option('--memory', 'Keep table, queues and mails in memory only.', false)
    .option('--fresh', 'Delete data, keys and log of earlier runs first.', false)
    .option('--faults <file>', 'Inject the faults in this file (docs/faults.md).')
    .option('--quiet', 'Print no line for each request, delivery and mail.', false)
    .addOption(new Option('--json', 'Print JSON lines only.').default(false).conflicts('quiet'))
    .option(
      '--inspect [port]',
      'Let a debugger attach on this port (default: 9229); no timeout applies (docs/debugging.md).',
    )
    .addHelpText(
      'after',
      sections({
        environment: {
          PORT: 'Port of the API (default: that of the last start, at first 3368; 0 for any free port).',
          MASTHEAD_HOME: 'Folder for data, keys, log and stack.json (default: .masthead).',
          DYNAMODB_ENDPOINT: 'A DynamoDB to use instead of the embedded one.',
        },
      }),
    );

interface Options {
  readonly memory: boolean;
  readonly fresh: boolean;
  /** File with the fault plan. */
  readonly faults?: string | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly inspect?: string | boolean | undefined;
}

/** Something that runs beside the stack. */
interface Companion {
  stop(): Promise<void>;
}

/**
 * Runs a stack; prints an error that the user can correct in one line, and ends the process with code 1.
 * @param accompany called before the first function runs
 */
export const runStack = async (options: Options, accompany?: (stack: LocalStack) => Promise<Companion>) => {
  refuseOptionsOfNpm(process.env);
  const port = readPort(process.env.PORT);
  const home = findHome();
  const giveUp = (error: unknown) => {
    print(error, port, options.faults);
    process.exit(1);
  };
  try {
    takeHome(home);
  } catch (error) {
    return giveUp(error);
  }
  try {
    if (options.fresh) clearHome(home);
    await start(home, port, options, accompany);
  } catch (error) {
    leaveHome(home);
    giveUp(error);
  }
};

const start = async (
  home: Home,
  port: number | undefined,
  { memory, faults, quiet, json, inspect }: Options,
  accompany?: (stack: LocalStack) => Promise<Companion>,
): Promise<void> => {
  const startedAt = performance.now();
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
  const plan = faults === undefined ? undefined : readJson(faults);
  const wanted = wantedPorts(home, port);
  const isDebugged = inspect !== undefined && inspect !== false;
  // Prints the address by itself.
  if (isDebugged) openInspector(inspect === true ? 9229 : readPort(inspect, '--inspect'), '127.0.0.1');
  const show = activityPrinter(json ? 'json' : quiet ? 'none' : 'text');
  const stack = await startLocalStack({
    ports: wanted.ports,
    orNextPort: wanted.orNext,
    isDebugged,
    watch: watchMails(show),
    onAnswer: (answered) => show(requestActivity(answered)),
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
  if (accompany !== undefined) running.push(await accompany(stack));
  const keys = keepKeys(home);
  const seeded = await stack.invoke('setup/seed', keys);
  if (!seeded.ok) throw new Error(`setup/seed failed: ${seeded.error.message}`);
  // It is not needed again.
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
    edge: stack.edge,
    aws: stack.aws,
    table: stack.tables[0] ?? '',
    queues: stack.queues,
    pid: process.pid,
  };
  writeStackFile(home, file);
  const ms = performance.now() - startedAt;
  if (json) console.log(readyLine(file, home, moved, ms));
  else console.log([...moved, startScreen(file, home, memory, ms)].join('\n'));
  if (!quiet)
    running.push(
      followLog(home.logFile, (line) => {
        for (const activity of deliveryActivities(line)) show(activity);
      }),
    );
  for (const name of wayOfAnEvent) stack.poolOf(name).warm();
};

/** Functions that have an environment from the start, so that the first event does not wait for them. */
const wayOfAnEvent = ['events/publish', 'deliveries/fan-out', 'deliveries/deliver'];

/** npm takes options before `--` as its own, and the command would run without them. @throws UsageError */
const refuseOptionsOfNpm = (environment: NodeJS.ProcessEnv): void => {
  const taken = ['memory', 'fresh', 'faults', 'inspect'].filter(
    (name) => !['', 'false', undefined].includes(environment[`npm_config_${name}`]),
  );
  if (taken.length === 0) return;
  const script = environment.npm_lifecycle_event === 'start' ? 'start' : `run ${environment.npm_lifecycle_event}`;
  const options = taken.map((name) => `--${name}`).join(' ');
  throw new UsageError(`npm took ${options} as an option of its own. Put -- before it: npm ${script} -- ${options}.`);
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FaultPlanError(`Cannot read the fault plan: ${error instanceof Error ? error.message : error}`);
  }
};

const readPort = (text: string | undefined, name = 'PORT'): number | undefined => {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${name} is ${JSON.stringify(text)}; it must be a number from 0 (any free port) to 65535.`);
};

/** Prints one line for errors that the user can correct, and the stack trace for all others. */
const print = (error: unknown, port: number | undefined, faults: string | undefined): void => {
  const expected = [HomeError, PartMissingError, SynthesisError, TemplateError];
  if (error instanceof FaultPlanError) console.error(`${faults}: ${error.message}`);
  else if (expected.some((kind) => error instanceof kind) && error instanceof Error) console.error(error.message);
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    console.error(
      `Port ${port} is in use. Stop the process that uses it, or set PORT to another port (0: any free one).`,
    );
  else console.error(error);
};
