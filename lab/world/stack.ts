/** A stage in the simulated world: every function, queue and schedule, sized as contract and stage table say. */
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { maxReceivesAt } from '../../infra/cdk/queue-times.ts';
import { maxConcurrencyOf, type StageConfig } from '../../infra/cdk/stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import {
  type ContractLine,
  contract,
  type DeadQueueName,
  type FunctionName,
  type QueueName,
} from '../../shared/contract.ts';
import { visibilitySeconds } from '../../shared/foundation/visibility.ts';
import { memoryOf } from '../../test/support/function-memory.ts';
import { bundles, type Mutate } from './bundle.ts';
import { dynamodbModules, type Transactions } from './dynamodb/client.ts';
import { carryOut } from './dynamodb/commands.ts';
import { Table } from './dynamodb/table.ts';
import { EventSource } from './event-source.ts';
import { type Account, LambdaFunction, type Outcome } from './lambda.ts';
import { Ledger } from './ledger.ts';
import { Queue } from './queue.ts';
import { type Receivers, senderModules } from './receivers.ts';
import { type Mail, sesModules } from './ses-client.ts';
import { sqsModules } from './sqs-client.ts';
import { type Counts, goodWeather, newCounts, type Weather } from './weather.ts';
import { World } from './world.ts';

const found = <Name, Value>(map: ReadonlyMap<Name, Value>, name: Name): Value => {
  const value = map.get(name);
  if (value === undefined) throw new Error(`The simulation has no ${String(name)}.`);
  return value;
};

export interface StackOptions {
  readonly seed: number;
  /** The row of the stage table. Default: `prod`. */
  readonly stage?: keyof typeof stages;
  /** Epoch ms of its start. */
  readonly start?: number;
  readonly mutate?: Mutate | undefined;
  /** Receives the log lines of the functions. */
  readonly onLine?: (line: string) => void;
}

/** The concurrency if the stage sets no limit; the account allows more, which makes no difference here. */
const uncapped = 50;

const second = 1000;
const minute = 60 * second;

export class Stack {
  readonly world: World;
  readonly config: StageConfig;
  readonly weather: Weather = goodWeather();
  readonly counts: Counts = newCounts();
  readonly table: Table;
  readonly queues = new Map<string, Queue>();
  readonly sources = new Map<string, EventSource>();
  readonly mails: Mail[] = [];
  readonly ledger: Ledger;
  readonly receivers: Receivers;
  private readonly account: Account;
  private readonly functions = new Map<FunctionName, LambdaFunction>();
  private readonly transactions: Transactions = new Map();

  /** Bundles the functions and creates the stage. */
  static async start(options: StackOptions): Promise<Stack> {
    return new Stack(options, await bundles(options.mutate));
  }

  private constructor(
    { seed, stage = 'prod', start = Date.parse('2026-11-01T00:00:00Z'), onLine }: StackOptions,
    bundled: Awaited<ReturnType<typeof bundles>>,
  ) {
    this.world = new World(seed, start);
    this.config = parseStage(stage, stages[stage]);
    this.account = { busy: 0, concurrency: this.config.accountConcurrency };
    this.table = new Table(this.world, this.weather);
    this.table.onExpired = () => this.counts.expired++;
    this.ledger = new Ledger(this.config.settings.deliveries.retryAfterSeconds);
    this.receivers = { behave: () => ({ status: 200, ms: 20 }), ledger: this.ledger };
    for (const [name, bundle] of bundled) {
      const line = contract.find((candidate) => candidate.function === name);
      if (line === undefined) continue;
      this.functions.set(
        name,
        new LambdaFunction(
          {
            name,
            bundle,
            timeoutMs: timeoutOf(line),
            memoryMb: memoryOf(name),
            variables: this.variablesOf(line, onLine === undefined),
            modules: (environment) => ({
              ...dynamodbModules(environment, this.table, this.transactions),
              ...sqsModules(environment, this.queues),
              ...sesModules(environment, this.mails),
              ...senderModules(environment, this.receivers),
            }),
          },
          { ...this.surroundings, onLine: onLine ?? (() => {}) },
        ),
      );
      if (line.kind === 'queue') for (const source of line.sources) this.read(line, source);
      if (line.kind === 'schedule') this.runOnSchedule(name, line.everyMinutes);
    }
  }

  invoke(name: FunctionName, event: object, isFair = false): Promise<Outcome> {
    return this.function(name).invoke(event, { isFair });
  }

  queue(name: QueueName): Queue {
    return found(this.queues, name);
  }

  source(name: QueueName): EventSource {
    return found(this.sources, name);
  }

  /** Redrives the dead letters of all queues, as an operator does; returns their number. */
  redrive(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.redrive(), 0);
  }

  /** Reads the table directly, for the figures of a scenario and never for its verdict. */
  itemsOf(pk: string): readonly Record<string, unknown>[] {
    const input = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    };
    return (carryOut(this.table, 'QueryCommand', input) as { Items: Record<string, unknown>[] }).Items;
  }

  /** Whether the sweep has nothing to do within an hour. A webhook that its receiver has declined is due in 30 days. */
  get isAtRest(): boolean {
    const next = this.table.nextDue();
    return next === undefined || Date.parse(next) > this.world.now + 3_600_000;
  }

  /** Kills all environments of all functions at this moment: their memory, and what is under way, are lost. */
  crash(): void {
    for (const one of this.functions.values()) one.crash();
  }

  private get surroundings() {
    return { world: this.world, weather: this.weather, counts: this.counts, account: this.account };
  }

  private function(name: FunctionName): LambdaFunction {
    return found(this.functions, name);
  }

  private variablesOf(line: ContractLine, isSilent: boolean): Record<string, string> {
    const { send = [], measure = [] } = line.access;
    const own = line.kind === 'queue' ? line.sources.map(({ queue }): DeadQueueName => `${queue}-dead`) : [];
    const urls = [...send, ...measure, ...own].map((name) => [
      `QUEUE_URL_${name.toUpperCase().replaceAll('-', '_')}`,
      `https://sqs.simulated/000000000000/${name}`,
    ]);
    return {
      TABLE_NAME: 'masthead-simulated',
      BASE_URL: 'https://simulated.example/ghost/api',
      // A customer of a scenario stands for many: one key creates up to 100,000 webhooks.
      SETTINGS: JSON.stringify({
        ...this.config.settings,
        caps: { ...this.config.settings.caps, webhooks: 1_000_000, webhooksOfStage: 1_000_000 },
      }),
      SERVICE_NAME: 'masthead-simulated',
      ...(isSilent && { LOG_LEVEL: 'SILENT' }),
      ...(line.access.mail && { MAIL_CONFIGURATION_SET: 'masthead-simulated' }),
      ...Object.fromEntries(urls),
    };
  }

  private read(line: Extract<ContractLine, { kind: 'queue' }>, source: (typeof line.sources)[number]): void {
    const { queue: name, batchSize } = source;
    const visibility = visibilitySeconds(timeoutOf(line) / second);
    const queue = new Queue(name, this.world, {
      visibilityMs: visibility * second,
      maxReceives: maxReceivesAt(visibility),
    });
    this.queues.set(name, queue);
    const reader = new EventSource(queue, this.function(line.function as FunctionName), {
      ...this.surroundings,
      batchSize,
      concurrency: maxConcurrencyOf(this.config, source) ?? uncapped,
      onEnd: (run, failed) => this.ledger.end(run, failed),
    });
    this.sources.set(name, reader);
  }

  /** Runs a function on its schedule, unless the index shows no due item, so that days pass faster. */
  private runOnSchedule(name: FunctionName, everyMinutes: number): void {
    const { world, table } = this;
    const everyMs = everyMinutes * minute;
    let planned = Number.POSITIVE_INFINITY;
    const plan = (due: string | undefined) => {
      if (due === undefined) return;
      const at = Math.ceil(Math.max(Date.parse(due), world.now + 1) / everyMs) * everyMs;
      if (at >= planned) return;
      planned = at;
      world.after(at - world.now, () => {
        if (planned !== at) return;
        planned = Number.POSITIVE_INFINITY;
        plan(table.nextDue());
        void this.invoke(name, {}).then(() => plan(table.nextDue()));
      });
    };
    const { onDue } = table;
    table.onDue = (at) => {
      onDue(at);
      plan(at);
    };
  }
}

const timeoutOf = (line: ContractLine): number => (line.timeoutSeconds ?? 10) * second;
