/** Runs the stage `local`: its templates on the embedded parts, behind one gateway. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseStage } from '../cdk/stage.ts';
import { stages } from '../cdk/stages.ts';
import { localAssembly } from '../commands/template.ts';
import { readResources } from './cloudformation.ts';
import { readDeployment } from './deployment.ts';
import { partitionKeysOf } from './edge/authorization.ts';
import type { Step } from './edge/call.ts';
import { startCounting } from './edge/count.ts';
import { startEdge } from './edge/edge.ts';
import type { FaultPlanInput } from './edge/fault-plan.ts';
import { makeFaults } from './edge/faults.ts';
import { forwardTo, forwardToQueues } from './edge/forward.ts';
import { checkPolicies, refusalText } from './edge/policy.ts';
import { checkPoller } from './edge/poller.ts';
import { readPolicies } from './edge/statements.ts';
import { startGateway } from './gateway/server.ts';
import type { Home } from './home.ts';
import { readQueue } from './lambda/event-source.ts';
import { startFunctions } from './lambda/functions.ts';
import type { Run } from './lambda/pool.ts';
import { runOnSchedule } from './lambda/schedule.ts';
import { startDynoxide } from './parts/dynoxide.ts';
import { startFauxqs } from './parts/fauxqs.ts';
import { startSes } from './parts/ses.ts';
import { provisionQueue, provisionTable } from './provision.ts';

/** The local stage has no region of its own; this one is part of ARNs only. */
const region = 'eu-central-1';
const accountId = '000000000000';
const stage = 'local';
const config = parseStage(stage, stages.local);

export interface StackOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly home: Home;
  /** Table and queues without files. */
  readonly memory: boolean;
  /** Called when a part has ended by itself; the stack cannot go on. */
  readonly onPartEnd: (message: string) => void;
  /** Faults that the edge injects; none where nothing is said. */
  readonly plan?: FaultPlanInput;
  /** False where queues and schedules start no function: then only who invokes one does. */
  readonly triggers?: boolean;
  /** Sees every call of a function. */
  readonly watch?: Step;
}

export interface Stack {
  readonly baseUrl: string;
  readonly names: {
    readonly table: string;
    /** URLs at the part itself, by name without the stage. */
    readonly queues: Readonly<Record<string, string>>;
    readonly allowedOrigin: string | null;
  };
  /** Origins of the parts, past the edge. */
  readonly parts: { readonly dynamodb: string; readonly sqs: string; readonly ses: string };
  /** Origin of the edge, which also tells the counts (`/counts`) and which faults struck (`/faults`). */
  readonly edge: string;
  /** Runs a function by hand; `name` is its path below `functions/`. */
  invoke(name: string, event: unknown): Promise<Run>;
  /** Starts one environment of each function that reads a queue, so that the first event does not wait for them. */
  warm(): void;
  /** Lets what is at work finish for a second, then ends everything. */
  stop(): Promise<void>;
}

/** Starts everything; requests that come meanwhile wait. Rejects with one of the parts' errors, and leaves nothing running. */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const { port, home, memory, onPartEnd, plan = { faults: [] }, triggers = true, watch } = options;
  const undo: (() => Promise<void>)[] = [];
  const undoAll = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await start();
  } catch (error) {
    await undoAll();
    throw error;
  }

  async function start(): Promise<Stack> {
    const gateway = await startGateway(port);
    undo.push(async () => {
      gateway.end();
      await gateway.stop();
    });
    if (!memory) mkdirSync(home.data, { recursive: true });
    const started = <T extends { stop(): Promise<void> }>(part: T): T => {
      undo.push(part.stop);
      return part;
    };
    const [assembly, dynamodb, sqs, ses] = await Promise.all([
      localAssembly(),
      startDynoxide({
        ...(!memory && { file: join(home.data, 'table.db') }),
        onEnd: () => onPartEnd('dynoxide, the DynamoDB part, has ended by itself'),
      }).then(started),
      startFauxqs(memory ? { region } : { region, folder: join(home.data, 'queues') }).then(started),
      startSes(memory ? {} : { file: join(home.data, 'mails.jsonl') }).then(started),
    ]);
    const [toTable, toMail] = [forwardTo(dynamodb.url), forwardTo(ses.url)];
    undo.push(toTable.close, toMail.close);
    const counter = startCounting();
    const faults = makeFaults(plan);
    const steps: Step[] = [];
    const edge = started(
      await startEdge({ dynamodb: toTable.forward, sqs: forwardToQueues(sqs), ses: toMail.forward }, steps, {
        '/counts': () => counter.read(),
        '/faults': () => faults.struck(),
      }),
    );
    const baseUrl = `http://127.0.0.1:${gateway.port}${config.basePath}`;
    const queueUrl = (origin: string) => (name: string) => `${origin}/${accountId}/${name}`;
    const resources = readResources(assembly, {
      region,
      accountId,
      parameters: { BaseUrl: baseUrl },
      queueUrl: queueUrl(edge.url),
    });
    const deployment = readDeployment(resources);
    const policy = checkPolicies(readPolicies(resources), {
      places: { region, accountId, partitionKeys: partitionKeysOf(deployment.tables) },
      onRefusal: (refusal) => console.error(refusalText(refusal)),
    });
    for (const { functionName, queueArn } of deployment.eventSources) checkPoller(policy, functionName, queueArn);
    steps.push(...(watch === undefined ? [] : [watch]), counter.step, policy.step, faults.step);
    await Promise.all(deployment.tables.map((table) => provisionTable(dynamodb.url, table, region)));
    for (const queue of deployment.queues) provisionQueue(sqs.queues, queue, queueUrl(sqs.url)(queue.name), region);

    const functions = startFunctions(deployment, {
      region,
      logFile: home.logFile,
      endpoint: edge.url,
      faults,
      counter,
    });
    const { poolOf } = functions;
    undo.push(functions.stop);
    const sources = (triggers ? deployment.eventSources : []).map((source) => {
      const queue = source.queueName.replace(`masthead-${stage}-`, '');
      return readQueue(source, sqs.queues, poolOf(source.functionName), {
        lateness: () => faults.lateness(queue),
        isShownAgain: () => faults.isShownAgain(queue),
        onBatch: (bytes, deleted) => counter.polled(source.functionName, bytes, deleted),
      });
    });
    const schedules = (triggers ? deployment.schedules : []).map((run) =>
      runOnSchedule(run, poolOf(run.functionName), region),
    );
    gateway.serve(deployment.routes, (name, event) => poolOf(name).invoke(event), stage);
    // Last in, first out: what brings work, then the functions, then the parts.
    undo.push(async () => {
      for (const schedule of schedules) schedule.stop();
      const atWork = Promise.all([gateway.stop(), ...sources.map((source) => source.stop())]);
      await Promise.race([atWork, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    });
    return {
      baseUrl,
      names: {
        table: deployment.tables[0]?.name ?? '',
        queues: Object.fromEntries(
          deployment.queues.map(({ name }) => [name.replace(`masthead-${stage}-`, ''), queueUrl(sqs.url)(name)]),
        ),
        allowedOrigin: config.settings.allowedOrigins[0] ?? null,
      },
      parts: { dynamodb: dynamodb.url, sqs: sqs.url, ses: ses.url },
      edge: edge.url,
      invoke: (name, event) => poolOf(`masthead-${stage}-${name.replaceAll('/', '-')}`).invoke(event),
      warm() {
        for (const { functionName } of deployment.eventSources) poolOf(functionName).warm();
      },
      stop: undoAll,
    };
  }
};
