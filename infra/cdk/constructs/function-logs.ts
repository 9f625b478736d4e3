/** The log group of one function, and the metrics that are counted from it. */
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { FilterPattern, LogGroup, type MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ContractLine } from '../../../shared/contract.ts';
import { constructIdOf, logGroupName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { timeoutOf } from './contract-function.ts';
import { removalPolicyOf } from './removal.ts';
import { logMetrics, logMetricsNamespace } from './stage-metrics.ts';

/** An invocation is near its timeout from this share of it. */
const near = 0.8;

/** Adds a log group with the stage's retention; it is kept if the stage's data is. */
export const stageLogGroup = (scope: Construct, id: string, config: StageConfig, name: string, key: IKey | undefined) =>
  new LogGroup(scope, id, {
    logGroupName: logGroupName(config, name),
    retention: config.logRetentionDays,
    removalPolicy: removalPolicyOf(config),
    ...(key && { encryptionKey: key }),
  });

/** Adds the log group, and returns the filters that count `Faults` and `NearTimeout`; none if the stage has no alarms. */
export const functionLogs = (scope: Construct, config: StageConfig, line: ContractLine, key: IKey | undefined) => {
  const own = new Construct(scope, constructIdOf(line));
  const logGroup = stageLogGroup(own, 'Group', config, line.function, key);
  return config.features.alarms ? filtersOf(logGroup, config, line) : [];
};

/** Counted from the logs: two metrics for the stage need two alarms, two for each function would need eighty. */
const filtersOf = (logGroup: LogGroup, config: StageConfig, line: ContractLine): MetricFilter[] => {
  const count = (metricName: string, pattern: string) =>
    logGroup.addMetricFilter(metricName, {
      metricNamespace: logMetricsNamespace(config),
      metricName,
      metricValue: '1',
      filterPattern: FilterPattern.literal(pattern),
    });
  const report = '$.type = "platform.report"';
  const nearMs = near * timeoutOf(line).toMilliseconds();
  return [
    count(logMetrics.faults, `{ ($.level = "ERROR") || ((${report}) && ($.record.status != "success")) }`),
    count(logMetrics.nearTimeout, `{ (${report}) && ($.record.metrics.durationMs > ${nearMs}) }`),
  ];
};
