/** Saved queries of CloudWatch Logs Insights, over the logs of all functions of the stage. */
import { CfnQueryDefinition, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { functionGroups } from '../function-groups.ts';
import { logGroupName, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

/** By the name that the console lists; docs/operations.md explains when to use each. */
const queries: Readonly<Record<string, string>> = {
  // Works with the id of a request, error, event, delivery, webhook or invite.
  'story of an id': `fields @timestamp, level, function, message, @message
| filter @message like "PASTE-AN-ID-HERE"
| sort @timestamp asc
| limit 1000`,
  faults: `fields @timestamp, level, function, message, coalesce(error_id, record.requestId) as id, record.status, @message
| filter level = "ERROR" or (type = "platform.report" and record.status != "success")
| sort @timestamp desc
| limit 200`,
  'answers by function and status': `filter message = "answered"
| stats count() as answers, pct(duration_ms, 50) as p50_ms, pct(duration_ms, 99) as p99_ms by function, status
| sort answers desc`,
  'refused requests': `filter message = "refused"
| stats count() as refusals by function, status, type, code
| sort refusals desc`,
  // `PASTE-AN-ID-HERE` is the part of the key before its colon.
  'what a key did': `filter key_id = "PASTE-AN-ID-HERE" and (message = "answered" or message = "refused" or message = "failed")
| stats count() as requests, min(@timestamp) as first, max(@timestamp) as last by function, status, source_ip
| sort requests desc`,
  'long invocations': `filter message = "near timeout" or record.status = "timeout"
| fields @timestamp, @logStream, coalesce(duration_ms, record.metrics.durationMs) as ms, coalesce(request_id, record.requestId) as id, @message
| sort @timestamp desc
| limit 200`,
  'cold starts and memory': `filter message = "memory used"
| stats count(init_ms) as cold_starts, avg(init_ms) as cold_start_ms, max(used_mb) as max_used_mb, max(memory_mb) as of_mb by function
| sort cold_starts desc`,
};

/** Saves the queries in the folder `masthead-<stage>` of the console, over the log groups of the functions. */
export const saveQueries = (scope: Construct, config: StageConfig, logGroups: readonly LogGroup[]): void => {
  for (const [name, queryString] of Object.entries(queries)) {
    const query = new CfnQueryDefinition(scope, `Query-${name.replaceAll(' ', '-')}`, {
      name: `${physicalName(config)}/${name}`,
      queryString,
      // CloudWatch Logs refuses a log group that does not exist yet.
      logGroupNames: functionGroups.map((group) => logGroupName(config, group)),
    });
    query.node.addDependency(...logGroups);
  }
};
