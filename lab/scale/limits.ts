/** The limits of an account and a stage, with AWS's words; a run records when each was first reached. */

/** Numbers of a stage and its account. */
export interface Limits {
  /** Requests a second to publish: the stage's throttle. */
  readonly apiRate: number;
  /** Requests a second to all APIs of the account. */
  readonly apiAccountRate: number;
  /** Concurrent executions of the account. */
  readonly concurrency: number;
  /** Batches of a queue that are processed at the same time. */
  readonly events: number;
  readonly deliveries: number;
  readonly slowDeliveries: number;
  /** Write units a second that a new table accepts, and the quota of a table. */
  readonly tableWrites: number;
  readonly tableQuota: number;
}

export type LimitName =
  | keyof Limits
  /** Scaling of a queue's pollers, and of a function's environments. */
  | 'pollers'
  | 'environments'
  /** Write units of one partition key. */
  | 'partition';

/** AWS's defaults in a region, and `prod` in the stage table. */
export const prodLimits: Limits = {
  apiRate: 500,
  apiAccountRate: 10_000,
  concurrency: 1000,
  events: 4,
  deliveries: 100,
  slowDeliveries: 20,
  tableWrites: 4000,
  tableQuota: 40_000,
};

/** Where AWS states how its services scale. */
export const scaling = {
  /** "Lambda starts processing five batches at a time with five concurrent invocations" (services-sqs-scaling). */
  firstPollers: 5,
  /** "Lambda increases the number of processes that are reading batches by up to 300 more instances per minute" (same page). */
  pollersAMinute: 300,
  /** "your concurrency scaling rate is 1,000 execution environment instances every 10 seconds", for each function (scaling-behavior). */
  environmentsIn10Seconds: 1000,
  /** "if you exceed double your previous traffic's peak within 30 minutes" (on-demand capacity mode). */
  tableDoublesInMs: 30 * 60_000,
  /** "up to 1,000 write units per second" of a partition (bp-partition-key-design). */
  partitionWrites: 1000,
  /** Seconds in flight until a failed message is visible again (infra/cdk/queue-times.ts). */
  visibilityMs: 180_000,
  /** Messages in flight of a standard queue (SQS quotas). */
  inFlight: 120_000,
} as const;

/** Describes a limit for people: where it is set, and AWS's page. */
export const limitTexts: Readonly<Record<LimitName, { readonly text: string; readonly source: string }>> = {
  apiRate: { text: "the stage's `throttle` of `events/publish`", source: 'infra/cdk/stage.ts' },
  apiAccountRate: {
    text: 'requests a second of API Gateway, account and region',
    source: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
  },
  concurrency: {
    text: 'concurrent executions of Lambda, account and region',
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
  },
  events: { text: "the stage's `concurrency` of `events`", source: 'infra/cdk/stages.ts' },
  deliveries: { text: "the stage's `concurrency` of `deliveries`", source: 'infra/cdk/stages.ts' },
  slowDeliveries: { text: "the stage's `concurrency` of `slow-deliveries`", source: 'infra/cdk/stages.ts' },
  tableWrites: {
    text: 'write units of a new table; `warmThroughput` raises them',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html',
  },
  tableQuota: {
    text: 'write units of a table',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
  },
  pollers: {
    text: "growth of a queue's pollers",
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html',
  },
  partition: {
    text: 'write units of one partition key, which nothing raises',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
  },
  environments: {
    text: "growth of a function's environments",
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html',
  },
};

/** Records when limits are reached for the first time. */
export class Reached {
  /** Milliseconds, by limit, in the order in which they were reached. */
  readonly first = new Map<LimitName, number>();

  note(limit: LimitName, now: number): void {
    if (!this.first.has(limit)) this.first.set(limit, now);
  }
}
