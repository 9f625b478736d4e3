/** Writes the section of lab/reports/scale.md for `npm --prefix lab run simulate -- scale --page`. */

import { headRevision } from '../bench/head-revision.ts';
import { readMeasured } from '../cost/measured.ts';
import { writeSection } from '../page-section.ts';
import { type LimitName, limitTexts } from '../scale/limits.ts';
import { waitingTimes } from '../scale/outage.ts';
import { productOf, type ScaleResults } from './scenarios/scale.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const hours = (ms: number): string => `${(ms / 3_600_000).toFixed(1)} h`;

const shown = (ms: number): string => {
  if (ms < 60_000) return seconds(ms);
  return ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} minutes` : hours(ms);
};

const linked = (limit: LimitName): string => {
  const { text, source } = limitTexts[limit];
  return source.startsWith('https:') ? `[${text}](${source})` : `${text} (\`${source}\`)`;
};

const firstOf = (reached: ReadonlyMap<LimitName, number>): string =>
  reached.size === 0
    ? 'none'
    : [...reached].map(([limit, at]) => `${linked(limit)} after ${shown(at)}`).join(', then ');

const scaleSection = (results: ScaleResults): string => {
  const { times, events, counters, wideCount, outage, outageMs, compared } = results;
  const wide = productOf(results);
  const { pollersAt } = events;
  const rows = events.steps.map(
    ({ limit, atMs, perSecond }, position) =>
      `| ${position + 1} | ${linked(limit)} | ${seconds(atMs)} | ${whole(perSecond)} |`,
  );
  const measured = readMeasured();
  return `Calculated on ${new Date().toISOString().slice(0, 10)} at revision ${headRevision()}, with service times of ${measured.date} (revision ${measured.revision}).

A discrete-event model (\`lab/scale/\`): fair queues, the growth of pollers and environments, concurrent executions, throttles, the table's capacity and retries, with measured service
times: ${times.deliverMs.toFixed(0)} ms for a batch of ten deliveries, ${times.fullBatchMs.toFixed(0)} ms for one of fifty, ${times.eventMs.toFixed(0)} ms and ${times.subscriberMs.toFixed(2)} ms a subscriber for a fan-out, ${times.publishMs.toFixed(0)} ms for a request ([cost.md](cost.md)); receivers answer after 50 ms.

**10,000 events a second** with ten subscribers each, one event a request, in \`prod\`: the limits in the order in which they are reached. Each row raises the limits of the rows above it.

| | limit | reached after | deliveries a second until it is raised |
|---:|---|---:|---:|
${rows.join('\n')}
| | none that can be raised | | ${whole(events.perSecond)} |

${pollersAt === undefined ? '' : `AWS adds 300 pollers a minute to a queue, so a lane needs ${((events.limits.deliveries - 5) / 300).toFixed(1)} minutes until it processes ${whole(events.limits.deliveries)} batches at a time. `}A rate above the published 100,000 includes what has waited. Not modelled: that one event name with more than 3,000 events a second reads its list of subscribers above a partition's limit.

**One event with ${whole(wideCount)} subscribers** in \`prod\` is fanned out and delivered in ${(wide.ms / 60_000).toFixed(1)} minutes. Limits reached: ${firstOf(wide.stage.reached.first)}.
Another publisher has a hundred deliveries a second. From the queue to their receivers they have a p99 of ${whole(wide.quiet)} ms before (cold starts), and of ${whole(wide.during)} ms meanwhile. The queue follows [AWS's rule for fair queues](https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html). What each rule of the product adds:

| | p99 of others before | meanwhile | minutes until all are delivered |
|---|---:|---:|---:|
${results.wide.map(({ name, quiet, during, ms }) => `| ${name} | ${whole(quiet)} ms | ${whole(during)} ms | ${(ms / 60_000).toFixed(1)} |`).join('\n')}

**The counts of 10,000 single publishes a second**, each of which adds to its environment's shard; a partition key accepts 1,000 write units a second:

| shards | write units a second of the busiest | its writes wait | requests refused in ten seconds |
|---:|---:|---|---:|
${counters.map(({ shards, busiest, fullAtMs, refused }) => `| ${shards} | ${whole(busiest)} | ${fullAtMs === undefined ? 'never' : `from ${seconds(fullAtMs)} on`} | ${whole(refused)} |`).join('\n')}

**No receiver answers for ${hours(outageMs)}**, 500 deliveries a second in \`prod\`. All webhooks are slow, their circuit breakers open for up to 15 minutes, and each waiting delivery asks again after each of them. Limits reached:
${firstOf(outage.reached.first)}. At its end ${whole(outage.backlog)} deliveries wait in the table; none is lost. When the receivers answer again, the slow lane delivers them within ${hours(outage.drainedMs)}.
A batch that waits takes ${waitingTimes.deferMs} ms, by calculation: ten conditional writes, and no receiver.

The model and the formulas of its limits, where one limit is binding and all others are far away:

| | model | formula | model ÷ formula |
|---|---:|---:|---:|
${compared.map(({ what, model, formula, how }) => `| ${what}: ${how} | ${model.toFixed(1)} | ${formula.toFixed(1)} | ${(model / formula).toFixed(2)} |`).join('\n')}`;
};

/** Writes the section. */
export const writeScalePage = (results: ScaleResults): void =>
  writeSection('scale.md', 'npm --prefix lab run simulate -- scale --page', scaleSection(results));
