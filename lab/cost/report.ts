/** Writes lab/reports/cost.md from the measurements and the price lists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { queueSources } from '../../shared/contract.ts';
import { isProfile, type Measured, type Use } from './measured.ts';
import {
  type Cost,
  costOfCalls,
  costOfDeliveries,
  inBatchesOf,
  parts,
  total,
  withAnswersAfter,
  withMessages,
} from './model.ts';
import { costOf, type PriceList, type PriceName, priceList, regions } from './price.ts';
import {
  behaviours,
  deliveriesPerSecond,
  fanOuts,
  goalProfile,
  nameOf,
  type Profile,
  type Publishing,
  payloads,
  publishings,
} from './profiles.ts';
import { alarmsOfStage, minutesAMonth, restRows } from './rest.ts';
import { services } from './services.ts';

const usd = (value: number): string => value.toFixed(2);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

/** A million requests to an HTTP API (https://docs.aws.amazon.com/whitepapers/latest/best-practices-api-gateway-private-apis-integration/cost-optimization.html). */
const httpApiUsd = 1;

const findProfile = ({ profiles }: Measured, profile: Profile): Use => {
  const found = profiles.find((one) => isProfile(one, profile));
  if (found === undefined) throw new Error(`Not measured: ${nameOf(profile)}.`);
  return found;
};

/** Finds the measurement with one event per request. @throws Error if it was not measured */
export const findSingle = (measured: Measured, receivers: Use['receivers'], fanOut: number, payloadKb: number): Use =>
  findProfile(measured, { receivers, fanOut, payloadKb, publishing: 'single' });

/** Formats the cost of a profile by part. */
const partsTable = (columns: readonly (readonly [string, Cost])[]): string =>
  table(
    ['part', ...columns.map(([name]) => name)],
    [
      ...parts.map((part) => [part, ...columns.map(([, cost]) => usd(cost[part]))]),
      ['**all**', ...columns.map(([, cost]) => `**${usd(total(cost))}**`)],
    ],
  );

const profileTable = (measured: Measured, prices: PriceList): string =>
  table(
    ['receivers', 'payload', ...fanOuts.map((fanOut) => `fan-out of ${fanOut.toLocaleString('en')}`)],
    behaviours.flatMap((receivers) =>
      payloads.map((payloadKb) => [
        receiversText[receivers],
        `${payloadKb} KB`,
        ...fanOuts.map((fanOut) =>
          usd(total(costOfDeliveries(prices, measured, findSingle(measured, receivers, fanOut, payloadKb)))),
        ),
      ]),
    ),
  );

const publishingText = { single: 'one event a request', ten: 'ten a request', bus: 'EventBridge bus' } as const;

const receiversText = {
  healthy: 'all answer',
  failing: 'every tenth request fails',
  hanging: 'one of ten hangs for 10 s',
} as const;

const serviceTable = (measured: Measured, prices: PriceList): string =>
  table(
    ['service', 'price in USD', 'read', ...fanOuts.map((fanOut) => `fan-out of ${fanOut.toLocaleString('en')}`)],
    [
      [
        '**Masthead**, 2 KB, all answer',
        'AWS list prices',
        prices.date,
        ...fanOuts.map((fanOut) =>
          usd(total(costOfDeliveries(prices, measured, findSingle(measured, 'healthy', fanOut, 2)))),
        ),
      ],
      ...services.map(({ name, price, source, date, usd: usdOf }) => [
        `[${name}](${source})`,
        price,
        date,
        ...fanOuts.map((fanOut) => {
          const range = usdOf(fanOut, prices);
          if (range === undefined) return 'not confirmed';
          const [from, to] = range.map(usd);
          return from === to ? `${from}` : `${from} to ${to}`;
        }),
      ]),
    ],
  );

const priceTable = (lists: readonly PriceList[]): string => {
  const [first] = lists;
  const names = Object.keys(first?.prices ?? {}) as PriceName[];
  return table(
    ['price', ...lists.map(({ region }) => region), 'unit', 'AWS', 'confirmed by'],
    names.map((name) => [
      name,
      ...lists.map(({ prices }) => `${prices[name].usd}${prices[name].seen === null ? '?' : ''}`),
      `${first?.prices[name].per === 1 ? '' : 'million '}${first?.prices[name].unit}`,
      `[page](${first?.prices[name].source})`,
      seenText(first?.prices[name].seen ?? null),
    ]),
  );
};

const seenText = (seen: { readonly url: string; readonly date: string } | null): string =>
  seen === null ? 'not confirmed' : `[${new URL(seen.url).host}](${seen.url}), ${seen.date}`;

const restTable = (prices: PriceList): string => {
  const dev = restRows(prices, parseStage('dev', stages.dev));
  const prod = restRows(prices, parseStage('prod', stages.prod));
  const sum = (pick: (one: (typeof dev)[number]) => number, rows: typeof dev) =>
    rows.reduce((all, one) => all + pick(one), 0);
  const shown = (value: number) => (value === 0 ? '0' : usd(value));
  const figures = (position: number) =>
    [dev[position]?.usd, prod[position]?.usd, dev[position]?.afterFree, prod[position]?.afterFree].map((value = 0) =>
      shown(value),
    );
  const all = [
    sum((one) => one.usd, dev),
    sum((one) => one.usd, prod),
    sum((one) => one.afterFree, dev),
    sum((one) => one.afterFree, prod),
  ];
  return [
    '| resource | reason | dev | prod | after *free*: dev | prod |',
    '|---|---|---:|---:|---:|---:|',
    ...prod.map(({ resource, reason }, position) => row([resource, reason, ...figures(position)])),
    row(['**all**', '', ...all.map((value) => `**${usd(value)}**`)]),
  ].join('\n');
};

/** Response times of receivers in ms; the measured receivers have the first. */
export const answerTimes = [50, 200, 500, 1000] as const;

/** Formats the cost of a million deliveries for slower receivers: the function waits, and Lambda bills the time. */
const answerTimeTable = (measured: Measured, prices: PriceList): string =>
  table(
    ['receivers answer in', ...fanOuts.map((fanOut) => `fan-out of ${fanOut.toLocaleString('en')}`)],
    answerTimes.map((ms) => [
      `${ms} ms`,
      ...fanOuts.map((fanOut) =>
        usd(total(withAnswersAfter(prices, measured, findSingle(measured, 'healthy', fanOut, 2), ms - answerTimes[0]))),
      ),
    ]),
  );

/** The metrics that functions write (`shared/aws/metrics.ts`), and the three that are counted from the logs. */
export const customMetrics =
  [
    ...(
      /type Metric =([^;]*);/.exec(
        readFileSync(join(import.meta.dirname, '../../shared/aws/metrics.ts'), 'utf8'),
      )?.[1] ?? ''
    ).matchAll(/'\w+'/g),
  ].length + 3;

/** Formats the monthly cost of a number of deliveries, including the idle stage. */
const monthTable = (measured: Measured, prices: PriceList): string => {
  const perMillion = total(costOfDeliveries(prices, measured, findSingle(measured, 'healthy', 10, 2)));
  const rest = restRows(prices, parseStage('prod', stages.prod)).reduce((sum, { usd: one }) => sum + one, 0);
  return table(
    ['deliveries a month', 'a second', 'dollars a month', 'at Svix'],
    [100_000, 1_000_000, 10_000_000, 100_000_000].map((count) => [
      count.toLocaleString('en'),
      (count / (minutesAMonth * 60)).toFixed(2),
      usd(rest + costOf(prices, 'customMetrics', customMetrics) + (count / 1_000_000) * perMillion),
      `${usd((count / 10) * 0.0001)} to ${usd(count * 0.0001)}`,
    ]),
  );
};

/** The messages of a full batch of first attempts. */
const maxMessages = Math.max(
  ...queueSources()
    .filter(({ queue }) => queue === 'deliveries')
    .map(({ batchSize }) => batchSize),
);

/** Returns the whole report. */
export const costReport = (measured: Measured): string => {
  const lists = regions.map(priceList);
  const [prices] = lists;
  if (prices === undefined) throw new Error('There is no price list.');
  const of = (list: PriceList, receivers: Use['receivers'], fanOut: number, payloadKb: number) =>
    costOfDeliveries(list, measured, findSingle(measured, receivers, fanOut, payloadKb));
  const by = (publishing: Publishing) =>
    costOfDeliveries(prices, measured, findProfile(measured, goalProfile(publishing)));
  const goal = findProfile(measured, goalProfile('single'));
  const full = costOfDeliveries(prices, measured, withMessages(goal, maxMessages));
  const counted = goal.events / (goal.functions['deliveries/deliver']?.invocations ?? Number.NaN);
  const thin = (size: number) => costOfDeliveries(prices, measured, inBatchesOf(goal, size));
  const polls = (pollers: number) => pollers * 3 * minutesAMonth;
  return `# What Masthead costs on AWS

Generated by \`npm --prefix lab run cost -- --page\`, from what \`npm --prefix lab run cost -- --measure\` counted on ${measured.date} (revision ${measured.revision}) and from list prices of ${prices.date}. In US dollars;
${prices.region} unless another region is named. [docs/cost.md](../../docs/cost.md) is the short version for operators.

- **Counted** on the local stack, whose proxy counts what AWS bills: write and read units, requests to SQS with Lambda's polls, invocations, bytes of the log, of the history and to receivers.
- **Measured** with the deployed bundles under Lambda's share of a CPU, as in [lambda.md](lambda.md): the duration of each function, at the memory of the contract and for these batches and payloads.
- **Included**: API Gateway with one event a request where nothing else is said, signatures, retries, 30 days of history with point-in-time recovery, 30 days of logs (those of Lambda and API Gateway too), and transfer to the internet.
- **Not included**: the free tier, TLS handshakes, taxes. Payloads are prose.

## A million deliveries

${profileTable(measured, prices)}

Receivers answer within ${answerTimes[0]} ms here. The function waits for slower ones, and Lambda bills that time. Calculated for 2 KB and batches of one message, whose requests run in parallel:

${answerTimeTable(measured, prices)}

The figure for hanging receivers depends on how long they hang. Their deliveries wait in the table, and are sent when the receiver answers again.

By part, with 2 KB and all receivers answering:

${partsTable([
  ...fanOuts.map((fanOut) => [`fan-out of ${fanOut.toLocaleString('en')}`, of(prices, 'healthy', fanOut, 2)] as const),
  ...lists.slice(1).map((list) => [`of 10, ${list.region}`, of(list, 'healthy', 10, 2)] as const),
  ['of 10, 50 KB', of(prices, 'healthy', 10, 50)],
])}

By the way to publish, at a fan-out of 10 with 2 KB and all receivers answering:

${partsTable([
  ...publishings.map((publishing) => [publishingText[publishing], by(publishing)] as const),
  [`one a request, ${maxMessages} messages a batch`, full] as const,
])}

The last column is calculated for full batches: one receive, one delete, one read of the webhooks, one write of counts and two log lines for all messages of an invocation of \`deliveries/deliver\`. Batches fill up when events
arrive faster than they are delivered. The counted batches, at ${deliveriesPerSecond / goal.fanOut} events a second, had ${counted.toFixed(1)} message on average.

The goal is 1.20. These reach it: publishers that send ten events in a request (the maximum), publishers on the EventBridge bus, and full batches. One event a request in batches of one message does not,
because API Gateway alone costs ${usd(by('single')['API Gateway or bus'])} then. An HTTP API would cost ${usd(httpApiUsd / 10)}, but has no web ACL, no compression and no throttling responses of its own.
[ADR 16](../../docs/adr/0016-one-item-for-a-cohort.md) has the sums of the alternatives.

The ten webhooks were created one after another, so they form one cohort. With one event a request, a million deliveries cost ${usd(total(thin(5)))} in cohorts of five, and ${usd(total(thin(1)))} in cohorts of one.

## Beside other services

A million deliveries, in dollars, without the fees of plans. The prices of Svix, Hookdeck and Convoy come from
[API Evangelist](https://github.com/api-evangelist)'s transcriptions of their pages:

${serviceTable(measured, prices)}

${services.map(({ name, note }) => `- ${name}: ${note}.`).join('\n')}

## A month

A stage like \`prod\` at a fan-out of 10 and 2 KB. The figure includes the idle stage below and ${customMetrics} custom metrics (${usd(costOf(prices, 'customMetrics', customMetrics))} if all of them are counted each hour; an account has ten for free).

${monthTable(measured, prices)}

## A million API calls

${table(
  ['endpoint', 'write units', 'read units', ...['API Gateway', 'Lambda', 'CloudWatch Logs'], 'all'],
  measured.calls.map((use) => {
    const cost = costOfCalls(prices, measured, use);
    return [
      `\`${use.function}\``,
      (use.writeUnits / use.calls).toFixed(1),
      (use.readUnits / use.calls).toFixed(1),
      usd(cost['API Gateway or bus']),
      usd(cost.Lambda),
      usd(cost['CloudWatch Logs']),
      `**${usd(total(cost))}**`,
    ];
  }),
)}

Mails are sent by SES, 0.10 per thousand.

## An idle stage

List prices for a month of 30 days. *Free* is AWS's permanent free tier, if nothing else in the account uses it. API Gateway, EventBridge, SES, SNS, CodeDeploy and custom metrics are billed by use and cost nothing while idle.

${restTable(prices)}

An idle stage costs under a dollar a month in an account of its own, plus the alarms and the key of prod. The reasons for the cost beyond the free tier:

- **Polls.** Lambda polls an idle queue with five pollers that wait 20 s each: ${polls(5).toLocaleString('en')} requests a month (${usd(costOf(prices, 'queueRequests', polls(5)))}). Without a cap on concurrency AWS reduces them to two, ${polls(2).toLocaleString('en')} (${usd(costOf(prices, 'queueRequests', polls(2)))});
  [with a cap it does not](https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html). The four queues that traffic can fill are capped in every stage, because an uncapped one can take all of the
  account's executions from the API ([scale.md](../../docs/scale.md#concurrent-executions)).
- **The sweep.** It runs every minute, because a retry may be at most a minute late. \`everyMinutes: { 'due/sweep': 5 }\` reduces its cost to a fifth. 16 shards allow 16,000 due items a
  second; each costs 0.0027 a month while idle.
- **Alarms.** 0.10 each beyond ten. There are ${alarmsOfStage} because faults, long runs and lost events of Ghost are counted in the logs, three metrics for the whole stage: watching errors and duration of each function
  would be about sixty alarms (6.00). AWS has no metric for the dead letters or the age of all queues, so each queue has alarms. The functions measure late mail and deliveries.
- **Not used:** NAT gateway (33), VPC, provisioned concurrency (5.50 per function at 512 MiB), Secrets Manager (0.40 per secret), X-Ray.

## Prices

From \`lab/cost/prices/\`, one file for each region. A question mark means that no page was found that confirms the price: check AWS's page before you rely on it.

${priceTable(lists)}
`;
};
