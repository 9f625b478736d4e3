/** Runs the templates of one stage on embedded parts: API, functions, queues, table and mailbox. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { accountId, region } from './account.ts';
import { readResources } from './cloudformation.ts';
import { readDeployment } from './deployment.ts';
import { type Answered, startGateway } from './gateway/server.ts';
import type { Run } from './lambda/environment.ts';
import { readQueue } from './lambda/event-source.ts';
import { startFunctions } from './lambda/functions.ts';
import type { Pool } from './lambda/pool.ts';
import { runOnSchedule } from './lambda/schedule.ts';
import { namesOf } from './names.ts';
import { startDynoxide } from './parts/dynoxide.ts';
import { startFauxqs } from './parts/fauxqs.ts';
import type { FeedbackEvent } from './parts/feedback.ts';
import { startSes } from './parts/ses.ts';
import { provisionQueue, provisionTable } from './provision.ts';
import { partitionKeysOf } from './proxy/authorization.ts';
import type { Step } from './proxy/call.ts';
import { startCounting } from './proxy/count.ts';
import { makeFaults } from './proxy/faults.ts';
import { forwardTo, forwardToQueues } from './proxy/forward.ts';
import { checkPolicies } from './proxy/policy.ts';
import { checkPoller } from './proxy/poller.ts';
import { startProxy } from './proxy/proxy.ts';
import { exceptFor, operator, requireSecret } from './proxy/session.ts';
import { readPolicies } from './proxy/statements.ts';

export interface Application {
  readonly assembly: () => Promise<string>;
  /** Prefix of the stage's physical names, such as `masthead-local-`. */
  readonly prefix: string;
  /** Returns the values of the templates' parameters; `origin` is the address of the API. */
  readonly parameters: (origin: string) => Readonly<Record<string, string>>;
  readonly allowedOrigins: readonly string[];
}

/** The ports of the parts; 0 chooses a free one. Proxy and mailbox may also use a nearby port. */
export interface Ports {
  readonly api: number;
  readonly proxy: number;
  readonly mailbox: number;
}

export interface StackOptions {
  readonly ports: Ports;
  /** Whether the API may listen on another port if its own is in use. Default: false. */
  readonly orNextPort?: boolean;
  /** The folder for the files of table, queues and mailbox. Default: in memory. */
  readonly data: string | undefined;
  readonly logFile: string;
  /** Called when a part has ended unexpectedly. The stack cannot continue. */
  readonly onPartEnd: (message: string) => void;
  /** Called with function, action and resource of each call that a policy refuses. */
  readonly onRefusal: (message: string) => void;
  readonly plan?: unknown;
  /** False if queues and schedules start no function, so that functions run by `invoke` only. Default: true. */
  readonly triggers?: boolean;
  readonly watch?: Step;
  /** Whether a debugger may stop functions, so that no timeout applies. Default: false. */
  readonly isDebugged?: boolean;
  readonly onAnswer?: (answered: Answered) => void;
}

export interface AwsAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface Stack {
  readonly origin: string;
  readonly ports: Ports;
  readonly tables: readonly string[];
  readonly queues: Readonly<Record<string, string>>;
  /** Endpoint and credentials for an operator's AWS client, which no policy limits. */
  readonly aws: AwsAccess;
  /** URL with the secret of this start; `/counts` and `/faults` below it show what passed the proxy. */
  readonly proxy: string;
  /** URL with the secret of this start; `/` below it is the mailbox page, `/store` the mails as JSON. */
  readonly mailbox: string;
  invoke(name: string, event: unknown): Promise<Run>;
  /** Returns the bundle of a function and its variables, with credentials: for a process outside of the stack. */
  bundleOf(name: string): { readonly file: string; readonly environment: Readonly<Record<string, string>> };
  poolOf(name: string): Pool;
  /** Waits at most a second for running work, then ends everything. */
  stop(): Promise<void>;
}

/** How long running work may take when the stack stops, in ms. */
const stopWithinMs = 1000;

/** Starts everything; early requests wait. Rejects with the error of a part, and leaves nothing running. */
export const startStack = async (application: Application, options: StackOptions): Promise<Stack> => {
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await start(application, options, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
};

const start = async (
  { assembly: makeAssembly, prefix, parameters, allowedOrigins }: Application,
  options: StackOptions,
  undo: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Stack> => {
  const started = <T extends { stop(): Promise<void> }>(part: T): T => {
    undo.push(part.stop);
    return part;
  };
  const {
    ports,
    orNextPort = false,
    data,
    logFile,
    plan = { faults: [] },
    triggers = true,
    watch,
    isDebugged = false,
  } = options;
  const gateway = await startGateway({
    port: ports.api,
    orNext: orNextPort,
    allowedOrigins,
    onAnswer: options.onAnswer,
    isDebugged,
  });
  undo.push(gateway.end);
  if (data !== undefined) mkdirSync(data, { recursive: true });
  const sqs = started(startFauxqs(data === undefined ? {} : { folder: join(data, 'queues') }));
  /** Runs the functions that hear SES's events, once they are there. */
  let hear = async (_event: FeedbackEvent): Promise<void> => {};
  const [assembly, dynamodb, ses] = await Promise.all([
    makeAssembly(),
    startDynoxide({
      ...(data !== undefined && { file: join(data, 'table.db') }),
      onEnd: () => options.onPartEnd('dynoxide, the DynamoDB part, ended unexpectedly'),
    }).then(started),
    startSes({
      port: ports.mailbox,
      ...(data !== undefined && { file: join(data, 'mails.jsonl') }),
      onFeedback: (event) => hear(event),
    }).then(started),
  ]);

  // The queues' URLs contain the proxy's address, so it is needed before the template can be read.
  const [toTable, toMail] = [forwardTo(dynamodb.url), forwardTo(ses.url)];
  undo.push(toTable.close, toMail.close);
  const steps: Step[] = [];
  const pages: Record<string, () => unknown> = {};
  const proxy = started(
    await startProxy(
      { dynamodb: toTable.forward, sqs: forwardToQueues(sqs), ses: toMail.forward },
      steps,
      pages,
      ports.proxy,
    ),
  );
  const { origin } = gateway;
  const secret = randomBytes(16).toString('hex');
  const queueUrl = (name: string) => `${proxy.origin}/${accountId}/${name}`;
  const resources = readResources(assembly, { parameters: parameters(origin), queueUrl });
  const deployment = readDeployment(resources);
  const names = namesOf(deployment, prefix);
  const counter = startCounting(names);
  const faults = makeFaults(names, plan);
  const policy = checkPolicies(readPolicies(resources), {
    partitionKeys: partitionKeysOf(deployment.tables),
    names,
    onRefusal: options.onRefusal,
  });
  for (const { functionName, queueArn } of deployment.eventSources) checkPoller(policy, functionName, queueArn);
  const ofFunctions = [...(watch === undefined ? [] : [watch]), counter.step, policy.step, faults.step];
  steps.push(requireSecret(secret), ...ofFunctions.map((step) => exceptFor(operator, step)));
  Object.assign(pages, { [`/${secret}/counts`]: counter.read, [`/${secret}/faults`]: faults.struck });
  await Promise.all(deployment.tables.map((table) => provisionTable(dynamodb.url, table)));
  for (const queue of deployment.queues) provisionQueue(sqs.queues, queue, queueUrl(queue.name));

  const { poolOf } = started(startFunctions(deployment, { logFile, secret, proxy, faults, counter, isDebugged }));
  const sources = (triggers ? deployment.eventSources : []).map((source) =>
    readQueue(source, sqs.queues, poolOf(source.functionName), {
      lateness: () => faults.lateness(source.queueName),
      isShownAgain: () => faults.isShownAgain(source.queueName),
      onBatch: (bytes, deleted) => counter.polled(source.functionName, bytes, deleted),
    }),
  );
  const schedules = (triggers ? deployment.schedules : []).map((run) => runOnSchedule(run, poolOf(run.functionName)));
  hear = async (event) => {
    const hearing = deployment.mailEvents.filter(({ detailTypes }) => detailTypes.includes(event['detail-type']));
    await Promise.all(hearing.map(({ functionName }) => poolOf(functionName).invoke(event)));
  };
  gateway.serve(deployment.routes, poolOf);
  // Stopped in reverse: first the triggers, then the functions, then the parts.
  undo.push(async () => {
    for (const schedule of schedules) schedule.stop();
    const finished = Promise.all([gateway.stop(), ...sources.map((source) => source.stop())]);
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref())]);
  });
  const physicalNames = new Map(Object.entries(names.functions).map(([physical, name]) => [name, physical]));
  const poolNamed = (name: string) => poolOf(physicalNames.get(name) ?? name);
  return {
    origin,
    ports: { api: gateway.port, proxy: proxy.port, mailbox: ses.port },
    tables: deployment.tables.map(({ name }) => name),
    queues: Object.fromEntries(deployment.queues.map(({ name }) => [name.slice(prefix.length), queueUrl(name)])),
    aws: {
      endpoint: proxy.origin,
      region,
      accessKeyId: operator,
      secretAccessKey: 'local',
      sessionToken: secret,
    },
    proxy: `${proxy.origin}/${secret}`,
    mailbox: ses.url,
    bundleOf(name) {
      const fn = deployment.functions.find((candidate) => names.functions[candidate.name] === name);
      if (fn === undefined) throw new Error(`the template has no function ${name}`);
      return {
        file: join(fn.folder, fn.module),
        environment: {
          ...fn.environment,
          AWS_REGION: region,
          AWS_ACCESS_KEY_ID: fn.name,
          AWS_SECRET_ACCESS_KEY: 'local',
          AWS_SESSION_TOKEN: secret,
          AWS_ENDPOINT_URL_DYNAMODB: proxy.origin,
          AWS_ENDPOINT_URL_SQS: proxy.origin,
          AWS_ENDPOINT_URL_SES: proxy.origin,
        },
      };
    },
    poolOf: poolNamed,
    invoke: async (name, event) => poolNamed(name).invoke(event),
    stop,
  };
};
