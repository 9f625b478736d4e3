/** Runs the stage `local` with the demo's receiver until Ctrl-C, for `npm start` and `npm run dev`. */
import { open as openInspector } from 'node:inspector';
import { Option } from '@commander-js/extra-typings';
import { BundleError } from '../cdk/bundle-error.ts';
import { command, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { textOf } from '../command-line/file-at.ts';
import { TemplateError } from '../emulator/cloudformation.ts';
import { PartMissingError } from '../emulator/parts/part.ts';
import { FaultPlanError } from '../emulator/proxy/fault-plan.ts';
import { clearHome, findHome, HomeError, leaveHome, takeHome } from './home.ts';
import type { Accompany } from './running-stack.ts';
import { localAssembly, SynthesisError } from './template.ts';

/** Returns the command line of a command that runs a stack, without its action. */
export const stackCommand = (name: string) =>
  command(name)
    .option('--memory', 'Keep table, queues and mails in memory only.', false)
    .option('--fresh', 'Delete data, keys and log of earlier runs first.', false)
    .option('--faults <file>', 'Inject the faults in this file (lab/reports/faults.md).')
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
          PORT: 'Port of the API (default: the port of the last start, at first 3368; 0 for any free port).',
          MASTHEAD_HOME: 'Folder for data, keys, log and stack.json (default: .masthead).',
          DYNAMODB_ENDPOINT: 'A DynamoDB to use instead of the embedded one.',
        },
      }),
    );

interface Options {
  readonly memory: boolean;
  readonly fresh: boolean;
  readonly faults?: string | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly inspect?: string | boolean | undefined;
}

/** Prints one line for an error that the user can correct, and ends the process with code 1. */
export const runStack = async (options: Options, accompany?: Accompany) => {
  refuseOptionsOfNpm(process.env);
  const port = readPort(process.env.PORT);
  const plan = options.faults === undefined ? undefined : planIn(options.faults);
  const home = findHome();
  let assembly: Promise<string> | undefined;
  const giveUp = async (error: unknown) => {
    print(error, port, options.faults);
    // Otherwise the part of the cache that the CDK app is writing would remain.
    await assembly?.catch(() => {});
    process.exit(1);
  };
  try {
    takeHome(home);
  } catch (error) {
    return giveUp(error);
  }
  try {
    const startedAt = performance.now();
    if (options.fresh) clearHome(home);
    const isDebugged = options.inspect !== undefined && options.inspect !== false;
    // The inspector prints its address itself.
    if (isDebugged)
      openInspector(options.inspect === true ? 9229 : readPort(options.inspect, '--inspect'), '127.0.0.1');
    // In a separate process, while this one loads the stack's modules, which takes a fifth of a first start.
    assembly = localAssembly();
    assembly.catch(() => {});
    const { startRunning } = await import('./running-stack.ts');
    await startRunning(home, { ...options, port, plan, isDebugged, assembly, startedAt }, accompany);
  } catch (error) {
    leaveHome(home);
    return giveUp(error);
  }
};

/** npm consumes options before `--`, so the command would run without them. @throws UsageError */
const refuseOptionsOfNpm = (environment: NodeJS.ProcessEnv): void => {
  const taken = ['memory', 'fresh', 'faults', 'inspect'].filter(
    (name) => !['', 'false', undefined].includes(environment[`npm_config_${name}`]),
  );
  if (taken.length === 0) return;
  const script = environment.npm_lifecycle_event === 'start' ? 'start' : `run ${environment.npm_lifecycle_event}`;
  const options = taken.map((name) => `--${name}`).join(' ');
  throw new UsageError(`npm took ${options} as an option of its own. Put -- before it: npm ${script} -- ${options}.`);
};

const planIn = (file: string): unknown => {
  const text = textOf(file, 'The fault plan');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The fault plan ${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
};

const readPort = (text: string | undefined, name = 'PORT'): number | undefined => {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${name} is ${JSON.stringify(text)}; it must be a number from 0 (any free port) to 65535.`);
};

const print = (error: unknown, port: number | undefined, faults: string | undefined): void => {
  const expected = [BundleError, HomeError, PartMissingError, SynthesisError, TemplateError];
  if (error instanceof FaultPlanError) console.error(`${faults}: ${error.message}`);
  else if (expected.some((kind) => error instanceof kind) && error instanceof Error) console.error(error.message);
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    console.error(
      `Port ${port} is in use. Stop the process that uses it, or set PORT to another port (0: any free one).`,
    );
  // A folder or a disk that cannot be used: the message names it.
  else if (error instanceof Error && 'syscall' in error) console.error(error.message);
  else console.error(error);
};
