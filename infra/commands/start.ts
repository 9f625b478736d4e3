/** `npm start`: runs the stage `local` on this machine until Ctrl-C. */
import { readFileSync } from 'node:fs';
import { TemplateError } from '../emulator/cloudformation.ts';
import { FaultPlanError } from '../emulator/edge/fault-plan.ts';
import { PartMissingError } from '../emulator/parts/part.ts';
import { readArguments } from './command.ts';
import { startReceiver } from './demo/receiver.ts';
import { clearHome, findHome, HomeTakenError, leaveHome, takeHome, writeStackFile } from './home.ts';
import { keepKeys, keyText } from './keys.ts';
import { startLocalStack } from './local-stack.ts';
import { SynthesisError } from './template.ts';
import { commandLine, welcome } from './welcome.ts';

const defaultPort = 3368;
/** Ctrl-C ends everything within two seconds, whatever hangs. */
const stopWithinMs = 1800;

const run = async (): Promise<void> => {
  const running: { stop(): Promise<void> }[] = [];
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(code), stopWithinMs).unref();
    await Promise.all(running.map((part) => part.stop()));
    leaveHome(home);
    process.exit(code);
  };
  const onPartEnd = (message: string) => {
    console.error(`${message}; the stack stops`);
    void stop(1);
  };
  const stack = await startLocalStack({
    port: options.port,
    data: options.memory ? undefined : home.data,
    logFile: home.logFile,
    onPartEnd,
    ...(options.plan !== undefined && { plan: options.plan }),
  });
  running.push(stack);
  const receiver = await startReceiver(options.port === 0 ? 0 : options.port + 1);
  running.push(receiver);
  stopOnSignal(stop);
  const keys = keepKeys(home.keysFile);
  const seeded = await stack.invoke('setup/seed', keys);
  if (!seeded.ok) throw new Error(`setup/seed failed: ${seeded.error.message}`);
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
    mailbox: stack.parts.ses,
    receiver: receiver.url,
    dynamodb: stack.parts.dynamodb,
    sqs: stack.parts.sqs,
    edge: stack.edge,
    table: stack.tables[0] ?? '',
    queues: stack.queues,
    pid: process.pid,
  };
  writeStackFile(home, file);
  console.log(welcome(file, home, options.memory, performance.now() - startedAt));
  stack.warm();
};

const readOptions = () => {
  const { values } = readArguments(commandLine);
  try {
    const plan = values.faults === undefined ? undefined : readJson(values.faults);
    return { ...values, plan, port: readPort(process.env.PORT) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
};

const readPort = (text: string | undefined): number => {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT is ${JSON.stringify(text)}; it is a number from 0 (any free port) to 65535.`);
};

/** The terminal and npm both pass Ctrl-C on, so a second signal says nothing new. */
const stopOnSignal = (stop: (code: number) => Promise<void>): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
};

/** One clear line for what a person can mend; the whole story for what is a fault of ours. */
const giveUp: (error: unknown) => never = (error) => {
  const expected = [HomeTakenError, PartMissingError, SynthesisError, TemplateError];
  if (expected.some((kind) => error instanceof kind) && error instanceof Error) console.error(error.message);
  else if (error instanceof FaultPlanError) console.error(`${options.faults}: ${error.message}`);
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    console.error(
      `port ${options.port} is in use: stop what listens there, or choose another port with PORT (0: any free one)`,
    );
  else console.error(error);
  process.exit(1);
};

const startedAt = performance.now();
const options = readOptions();
const home = findHome();

try {
  takeHome(home);
} catch (error) {
  giveUp(error);
}
try {
  if (options.fresh) clearHome(home);
  await run();
} catch (error) {
  leaveHome(home);
  giveUp(error);
}
