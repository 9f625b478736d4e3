/** The log group of one function, and the metrics that are counted from it. */
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { FilterPattern, LogGroup, type MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ContractLine } from '../../../shared/contract.ts';
import { constructIdOf, logGroupName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { removalPolicyOf } from './removal.ts';
import { logMetrics, logMetricsNamespace } from './stage-metrics.ts';

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
  return config.features.alarms ? filtersOf(logGroup, config) : [];
};

/** Counted from the logs: two metrics for the stage need two alarms, two for each function would need eighty. */
const filtersOf = (logGroup: LogGroup, config: StageConfig): MetricFilter[] => {
  const count = (metricName: string, pattern: string) =>
    logGroup.addMetricFilter(metricName, {
      metricNamespace: logMetricsNamespace(config),
      metricName,
      metricValue: '1',
      filterPattern: FilterPattern.literal(pattern),
    });
  const report = '$.type = "platform.report"';
  return [
    count(logMetrics.faults, `{ ($.level = "ERROR") || ((${report}) && ($.record.status != "success")) }`),
    count(logMetrics.nearTimeout, `{ ($.message = "near timeout") || ((${report}) && ($.record.status = "timeout")) }`),
  ];
};
