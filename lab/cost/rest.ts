/** Calculates an idle stage's monthly cost from the contract; `lab/cost/prices.test.ts` compares the templates. */
import { maxConcurrencyOf, type StageConfig } from '../../infra/cdk/stage.ts';
import { contract, queueSources } from '../../shared/contract.ts';
import { dueShards } from '../../shared/due/due-index.ts';
import { costOf, type PriceList } from './price.ts';

/** Dollars a month: at list prices, and after AWS's permanent free tier. */
export interface RestRow {
  readonly resource: string;
  readonly reason: string;
  readonly usd: number;
  readonly afterFree: number;
}

export const minutesAMonth = 30 * 24 * 60;
/** Pollers of an idle queue (AWS: five, or two where nothing caps the concurrency); each waits 20 seconds. */
const pollersOf = (isCapped: boolean): number => (isCapped ? 5 : 2);
const pollsAMinute = 3;
/** Milliseconds of a sweep that finds nothing, at the memory of the contract. */
const sweepMs = 30;
/** The number of alarms of a stage that has alarms and no Ghost site. */
const alarmsOfStage = 15;
/** The metrics that the alarms watch, by which AWS bills: two for the share of 5xx, three for the table's throttles. */
const alarmMetrics = alarmsOfStage + 3;
/** How often an hour the sweep counts the messages in each dead-letter queue. */
const countsAnHour = 12;
const free = { requests: 1_000_000, alarms: 10, dashboards: 3 };

export const restRows = (prices: PriceList, config: StageConfig): readonly RestRow[] => {
  const polls = queueSources().reduce(
    (sum, source) => sum + pollersOf(maxConcurrencyOf(config, source) !== null) * pollsAMinute * minutesAMonth,
    0,
  );
  const [schedule] = contract.filter((line) => line.kind === 'schedule');
  const everyMinutes = config.everyMinutes[schedule?.function ?? ''] ?? schedule?.everyMinutes ?? 1;
  const runs = minutesAMonth / everyMinutes;
  const gbSeconds = (runs * sweepMs * (schedule?.memoryMb ?? 0)) / 1024 / 1000;
  // An eventually consistent query of an empty shard costs half a unit.
  const reads = costOf(prices, 'tableReads', (runs * dueShards) / 2);
  const ofRelays = config.features.relays ? (config.features.accessLogs ? 2 : 1) : 0;
  const alarms = config.features.alarms ? alarmMetrics + ofRelays : 0;
  const queues = queueSources().length;
  const counts = (queues * countsAnHour * minutesAMonth) / 60;
  return [
    {
      resource: `SQS polls of ${queues} queues`,
      reason: 'functions fed by event source mappings; the sweep counts dead letters every five minutes',
      usd: costOf(prices, 'queueRequests', polls + counts),
      afterFree: costOf(prices, 'queueRequests', Math.max(0, polls + counts - free.requests)),
    },
    {
      resource: 'DynamoDB reads',
      reason: `a sweep every ${everyMinutes === 1 ? 'minute' : `${everyMinutes} minutes`} over ${dueShards} shards`,
      usd: reads,
      afterFree: reads,
    },
    {
      resource: 'Lambda invocations',
      reason:
        `the same sweep: ${runs.toLocaleString('en')} runs of some ${sweepMs} ms at ` +
        `${(schedule?.memoryMb ?? 0).toLocaleString('en')} MiB`,
      usd: costOf(prices, 'functionRequests', runs) + costOf(prices, 'functionGbSeconds', gbSeconds),
      afterFree: 0,
    },
    {
      resource: 'Alarms',
      reason: `${alarmsOfStage} in prod on ${alarmMetrics} metrics, none in dev`,
      usd: costOf(prices, 'alarms', alarms),
      afterFree: costOf(prices, 'alarms', Math.max(0, alarms - free.alarms)),
    },
    {
      resource: 'KMS key',
      reason: 'encrypts table, queues, logs and topics of prod',
      usd: costOf(prices, 'keys', config.features.customerManagedKey ? 1 : 0),
      afterFree: costOf(prices, 'keys', config.features.customerManagedKey ? 1 : 0),
    },
    {
      resource: 'Dashboard',
      reason: 'one per stage; three are free',
      usd: costOf(prices, 'dashboards', config.features.dashboard ? 1 : 0),
      afterFree: 0,
    },
    {
      resource: 'DynamoDB storage, backups',
      reason: 'on demand, point-in-time recovery: by the GB',
      usd: 0,
      afterFree: 0,
    },
    { resource: 'S3', reason: "the bundles, a few MB, in the bootstrap's bucket", usd: 0, afterFree: 0 },
  ];
};
