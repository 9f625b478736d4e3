/** Finds functions that came close to their memory or timeout in the last day, from their and Lambda's log lines. */
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { contract } from '../../../shared/contract.ts';
import { nearTimeout } from '../../../shared/foundation/near-timeout.ts';
import { functionGroups } from '../../cdk/function-groups.ts';
import { physicalName } from '../../cdk/names.ts';
import { type Examined, type Found, passed, skipped, warning } from './finding.ts';
import { queryLogs } from './insights.ts';

const hours = 24;
const nearMemory = 0.9;

/**
 * A stream is named `<date>/<function>[<version>]<environment>` in a shared log group (Lambda Developer Guide,
 * "Configuring CloudWatch log groups"). Each GB of logs that it reads costs 0.005 USD.
 */
const query = `parse @logStream /^\\d+\\/\\d+\\/\\d+\\/(?<name>[\\w-]+)/
| filter message in ["memory used", "near timeout"] or type = "platform.report"
| stats max(coalesce(used_mb, record.metrics.maxMemoryUsedMB)) as used_mb, max(coalesce(memory_mb, record.metrics.memorySizeMB)) as size_mb,
    max(coalesce(duration_ms, record.metrics.durationMs)) as ms, max(init_ms) as init_ms by name
| limit 1000`;

/** What a person waits for, by the function that starts for it. */
const firstUses: Readonly<Record<string, string>> = { 'console/page': 'the console', 'mail/send': 'a mail' };

export const checkFunctions = async (client: CloudWatchLogsClient, { config, stacks }: Examined): Promise<Found[]> => {
  if (!stacks.has('observability') || functionGroups.every((group) => !stacks.has(group)))
    return [skipped('The functions are not deployed.')];
  const rows = await queryLogs(client, config, query, hours);
  if (rows.length === 0) return [passed(`No function ran in the last ${hours} hours.`)];
  const found: Found[] = [];
  for (const line of contract) {
    const row = rows.find(({ name }) => name === physicalName(config, line.function));
    if (row === undefined) continue;
    const [used, size, ms] = [Number(row.used_mb), Number(row.size_mb), Number(row.ms)];
    const timeoutMs = (line.timeoutSeconds ?? 10) * 1000;
    const place = `its line in shared/contract.ts`;
    if (used >= nearMemory * size)
      found.push(warning(`${line.function} used ${used} of ${size} MB.`, `raise memoryMb in ${place}`));
    if (ms >= nearTimeout * timeoutMs)
      found.push(
        warning(
          `${line.function} took ${(ms / 1000).toFixed(1)} of ${timeoutMs / 1000} seconds.`,
          `docs/operations.md#near-timeout; raise timeoutSeconds or memoryMb in ${place}`,
        ),
      );
  }
  if (found.length === 0)
    found.push(passed(`${rows.length} functions ran in the last ${hours} hours, none near a limit.`));
  const waits = Object.entries(firstUses).flatMap(([name, what]) => {
    const ms = Number(rows.find((row) => row.name === physicalName(config, name))?.init_ms ?? 0);
    return ms > 0 ? [`${what} up to ${(ms / 1000).toFixed(1)} s`] : [];
  });
  if (waits.length > 0) found.push(passed(`The first use after a pause waits for its function: ${waits.join(', ')}.`));
  return found;
};
