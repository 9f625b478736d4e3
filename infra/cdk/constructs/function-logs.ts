/** The log group of a group of functions, and the metrics that are counted from it. */
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { FilterPattern, LogGroup, type MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionGroup } from '../function-groups.ts';
import { logGroupName, webAclLogGroup } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { removalPolicyOf } from './removal.ts';
import { logMetrics, logMetricsNamespace } from './stage-metrics.ts';

/** Adds a log group with the stage's retention; it is kept if the stage's data is. */
export const stageLogGroup = (
  scope: Construct,
  config: StageConfig,
  name: FunctionGroup | 'access' | 'web-acl',
  key: IKey | undefined,
): LogGroup =>
  new LogGroup(scope, `Logs-${name}`, {
    logGroupName: name === 'web-acl' ? webAclLogGroup(config) : logGroupName(config, name),
    retention: config.logRetentionDays,
    removalPolicy: removalPolicyOf(config),
    ...(key && { encryptionKey: key }),
  });

/** Returns a log group's filters for `Faults` and `NearTimeout`: two for the stage; two per function are over 100. */
export const countFaults = (logGroup: LogGroup, config: StageConfig): MetricFilter[] => {
  const count = (metricName: string, pattern: string) => counter(logGroup, config, metricName, pattern);
  const report = '$.type = "platform.report"';
  return [
    count(logMetrics.faults, `{ ($.level = "ERROR") || ((${report}) && ($.record.status != "success")) }`),
    count(logMetrics.nearTimeout, `{ ($.message = "near timeout") || ((${report}) && ($.record.status = "timeout")) }`),
  ];
};

/**
 * Returns the filter for requests of Ghost sites that the gateway refused, such as large bodies: no function sees them.
 * The gateway names its own answers in `gateway_error`, which is `-` for those of functions.
 */
export const countLostAtGateway = (accessLogs: LogGroup, config: StageConfig): MetricFilter =>
  counter(
    accessLogs,
    config,
    logMetrics.lostAtGateway,
    '{ ($.resource = "*/inbound/ghost/*") && ($.gateway_error != "-") }',
  );

const counter = (logGroup: LogGroup, config: StageConfig, metricName: string, pattern: string): MetricFilter =>
  logGroup.addMetricFilter(metricName, {
    metricNamespace: logMetricsNamespace(config),
    metricName,
    metricValue: '1',
    filterPattern: FilterPattern.literal(pattern),
  });
