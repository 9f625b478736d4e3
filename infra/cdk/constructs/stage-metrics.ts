/** The metrics of a stage, by physical names: the dashboard shows them and the alarms watch them. */
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ContractLine, type QueueName, type TableIndex, tableIndexes } from '../../../shared/contract.ts';
import { physicalName, tableName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

const period = Duration.minutes(5);

/** The period of the metrics whose alarms must fire within the five minutes of a canary deployment. */
const canaryPeriod = Duration.minutes(1);

/** Returns the namespace of the metrics that are counted from the stage's logs. */
export const logMetricsNamespace = (config: StageConfig): string =>
  `Masthead/${physicalName(config).replace('masthead-', '')}`;

export const logMetrics = { faults: 'Faults', nearTimeout: 'NearTimeout', lostAtGateway: 'RelayLost' } as const;

export class StageMetrics {
  private readonly config: StageConfig;

  constructor(config: StageConfig) {
    this.config = config;
  }

  /** A metric that the functions count (`shared/aws/metrics.ts`). */
  counted(metricName: string, statistic = 'Sum'): IMetric {
    const dimensionsMap = { service: physicalName(this.config) };
    return new Metric({ namespace: 'Masthead', metricName, dimensionsMap, statistic, period, label: metricName });
  }

  /** Lines at level ERROR, and invocations that failed, timed out or ran out of memory, in any function. */
  faults(): IMetric {
    return this.logged(logMetrics.faults, canaryPeriod);
  }

  /** Invocations that took more than 80 % of their function's timeout. */
  nearTimeout(): IMetric {
    return this.logged(logMetrics.nearTimeout);
  }

  /** Requests of Ghost sites that the gateway itself has refused: Ghost does not repeat them. */
  lostAtGateway(): IMetric {
    return this.logged(logMetrics.lostAtGateway);
  }

  /**
   * Throttles of the function with most concurrent runs; Lambda's total also counts other applications. Other alarms
   * see further throttles: an endpoint answers 5xx, and a worker's messages grow old.
   */
  throttles(): IMetric {
    return new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      dimensionsMap: { FunctionName: physicalName(this.config, 'deliveries/deliver') },
      statistic: 'Sum',
      period,
      label: 'throttled',
    });
  }

  errorsOf(line: ContractLine): IMetric {
    const dimensionsMap = { FunctionName: physicalName(this.config, line.function) };
    return new Metric({ namespace: 'AWS/Lambda', metricName: 'Errors', dimensionsMap, statistic: 'Sum', period });
  }

  /** Share of requests answered with a 5xx, from 0 to 1; 0 below five such answers. */
  apiErrorRate(): IMetric {
    return new MathExpression({
      expression: 'IF(errors >= 5, errors / requests, 0)',
      usingMetrics: {
        errors: this.api('5XXError', 'Sum', '5xx', canaryPeriod),
        requests: this.api('Count', 'Sum', 'requests', canaryPeriod),
      },
      label: '5xx rate',
      period: canaryPeriod,
    });
  }

  api(metricName: string, statistic: string, label: string, every = period): IMetric {
    const dimensionsMap = { ApiName: physicalName(this.config), Stage: this.config.name };
    return new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap, statistic, period: every, label });
  }

  deadLetters(queue: QueueName): IMetric {
    return this.queue(`${queue}-dead`, 'ApproximateNumberOfMessagesVisible', 'Maximum', queue);
  }

  /** Age of the oldest message in seconds. */
  oldestMessage(queue: QueueName): IMetric {
    return this.queue(queue, 'ApproximateAgeOfOldestMessage', 'Maximum', queue);
  }

  /** Messages that are waiting, in flight or delayed. */
  waiting(queue: QueueName): IMetric {
    const id = queue.replaceAll('-', '_');
    const of = (metricName: string) => this.queue(queue, metricName, 'Maximum', metricName);
    return new MathExpression({
      expression: `${id}_visible + ${id}_hidden + ${id}_delayed`,
      // Ids must be unique in a graph.
      usingMetrics: {
        [`${id}_visible`]: of('ApproximateNumberOfMessagesVisible'),
        [`${id}_hidden`]: of('ApproximateNumberOfMessagesNotVisible'),
        [`${id}_delayed`]: of('ApproximateNumberOfMessagesDelayed'),
      },
      label: queue,
      period,
    });
  }

  queue(queue: string, metricName: string, statistic: string, label: string): IMetric {
    const dimensionsMap = { QueueName: physicalName(this.config, queue) };
    return new Metric({ namespace: 'AWS/SQS', metricName, dimensionsMap, statistic, period, label });
  }

  table(metricName: string, label: string, index?: TableIndex): IMetric {
    const dimensionsMap = {
      TableName: tableName(this.config),
      ...(index !== undefined && { GlobalSecondaryIndexName: index }),
    };
    return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum', period, label });
  }

  /**
   * Reads and writes that the table or one of its indexes has throttled. The metrics of a table leave out its indexes:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
   */
  tableThrottles(): readonly IMetric[] {
    return [undefined, ...tableIndexes].flatMap((index) => {
      const of = index === undefined ? '' : ` of the index ${index}`;
      return [
        this.table('ReadThrottleEvents', `reads${of}`, index),
        this.table('WriteThrottleEvents', `writes${of}`, index),
      ];
    });
  }

  /**
   * Throttled reads and writes of the table, and writes of `due`, the busiest index. A function that another
   * index throttles fails: the alarms for faults and old messages see it.
   */
  tableThrottled(): IMetric {
    return new MathExpression({
      expression: 'FILL(reads, 0) + FILL(writes, 0) + FILL(index, 0)',
      usingMetrics: {
        reads: this.table('ReadThrottleEvents', 'reads'),
        writes: this.table('WriteThrottleEvents', 'writes'),
        index: this.table('WriteThrottleEvents', 'writes of the index due', 'due'),
      },
      label: 'throttled by the table',
      period,
    });
  }

  /** A Lambda metric over all functions of the stage. A search, because a dashboard is free up to 50 metrics. */
  allFunctions(metricName: string, statistic: string, label: string): IMetric {
    // Words without quotes match a part of the function's name; quoted words must match the whole text.
    const words = physicalName(this.config).replaceAll('-', ' ');
    const search = `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" ${words}', '${statistic}', 300)`;
    return new MathExpression({ expression: `SUM(${search})`, usingMetrics: {}, label, period });
  }

  /** A rate from 0 to 1 of this stage's mails, which use its configuration set. SES judges the whole account. */
  bounceRate(): IMetric {
    return this.reputation('BounceRate');
  }

  complaintRate(): IMetric {
    return this.reputation('ComplaintRate');
  }

  private reputation(name: string): IMetric {
    return new Metric({
      namespace: 'AWS/SES',
      metricName: `Reputation.${name}`,
      dimensionsMap: { 'ses:configuration-set': physicalName(this.config) },
      statistic: 'Maximum',
      period: Duration.hours(1),
      label: name,
    });
  }

  private logged(metricName: string, every = period): IMetric {
    const namespace = logMetricsNamespace(this.config);
    return new Metric({ namespace, metricName, statistic: 'Sum', period: every, label: metricName });
  }
}
