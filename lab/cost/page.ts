/** Makes docs/cost.md from what was measured and from the price lists. */
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

const find = (measured: Measured, receivers: Use['receivers'], fanOut: number, payloadKb: number): Use =>
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
          usd(total(costOfDeliveries(prices, measured, find(measured, receivers, fanOut, payloadKb)))),
        ),
      ]),
    ),
  );

const publishingText = { single: 'one event a request', ten: 'ten a request', bus: 'EventBridge bus' } as const;

const receiversText = {
  healthy: 'all answer',
  failing: 'one request of ten fails',
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
          usd(total(costOfDeliveries(prices, measured, find(measured, 'healthy', fanOut, 2)))),
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

/** Answer times of receivers in ms; the first is that of the receivers that were measured. */
const answerTimes = [50, 200, 500, 1000] as const;

/** Formats what a million deliveries cost when receivers take longer to answer: the function waits, and Lambda bills the time. */
const answerTimeTable = (measured: Measured, prices: PriceList): string =>
  table(
    ['receivers answer in', ...fanOuts.map((fanOut) => `fan-out of ${fanOut.toLocaleString('en')}`)],
    answerTimes.map((ms) => [
      `${ms} ms`,
      ...fanOuts.map((fanOut) =>
        usd(total(withAnswersAfter(prices, measured, find(measured, 'healthy', fanOut, 2), ms - answerTimes[0]))),
      ),
    ]),
  );

/** The metrics that the functions count (`shared/aws/metrics.ts`), and the three that are counted from the logs. */
const customMetrics =
  [
    ...(
      /type Metric =([^;]*);/.exec(
        readFileSync(join(import.meta.dirname, '../../shared/aws/metrics.ts'), 'utf8'),
      )?.[1] ?? ''
    ).matchAll(/'\w+'/g),
  ].length + 3;

/** Formats the monthly cost of so many deliveries, with the idle stage. */
const monthTable = (measured: Measured, prices: PriceList): string => {
  const perMillion = total(costOfDeliveries(prices, measured, find(measured, 'healthy', 10, 2)));
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

/** Returns the whole page. */
export const costPage = (measured: Measured): string => {
  const lists = regions.map(priceList);
  const [prices] = lists;
  if (prices === undefined) throw new Error('There is no price list.');
  const of = (list: PriceList, receivers: Use['receivers'], fanOut: number, payloadKb: number) =>
    costOfDeliveries(list, measured, find(measured, receivers, fanOut, payloadKb));
  const by = (publishing: Publishing) =>
    costOfDeliveries(prices, measured, findProfile(measured, goalProfile(publishing)));
  const goal = findProfile(measured, goalProfile('single'));
  const full = costOfDeliveries(prices, measured, withMessages(goal, maxMessages));
  const counted = goal.events / (goal.functions['deliveries/deliver']?.invocations ?? Number.NaN);
  const thin = (size: number) => costOfDeliveries(prices, measured, inBatchesOf(goal, size));
  const polls = (pollers: number) => pollers * 3 * minutesAMonth;
  return `# Cost

Generated by \`npm --prefix lab run cost -- --page\` from what \`npm --prefix lab run cost -- --measure\` has counted on ${measured.date} (revision ${measured.revision}), and from list prices of ${prices.date}. In US dollars, of
${prices.region} where no region is named.

- **Counted** on the local stack, whose edge counts what AWS bills: write and read units, requests to SQS with Lambda's polls, invocations, bytes of the log, of the history and to receivers.
- **Measured** with the deployed bundles under Lambda's share of a CPU, as in [lambda.md](../lab/reports/lambda.md): the duration of each function, at the memory of the contract and for these batches and payloads.
- **Included**: API Gateway with one event a request where nothing else is said, signatures, retries, 30 days of history with point-in-time recovery, 30 days of logs (those of Lambda and API Gateway too), and transfer to the internet.
- **Not included**: the free tier, TLS handshakes, taxes. Payloads are prose.

## A million deliveries

${profileTable(measured, prices)}

Receivers answer within ${answerTimes[0]} ms here. The function waits for slower ones, and Lambda bills the time: of a batch with one message, whose requests run side by side. With 2 KB, calculated:

${answerTimeTable(measured, prices)}

With a hanging receiver the figure depends on how long it hangs: its deliveries wait in the table and are sent when it answers again.

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

The last column is calculated: of an invocation of \`deliveries/deliver\` with all the messages that it can have there are one receive, one delete, one read of the webhooks, one write of counts, and two lines of the log. That is while events come
faster than they are delivered. Of those counted, with ${deliveriesPerSecond / goal.fanOut} events a second, a batch had ${counted.toFixed(1)}.

The goal is 1.20. It is reached by publishers that send ten events in a request, the maximum, by those that publish to the EventBridge bus, and in full batches; not by those that send each event in a request of its own,
while batches have one message, because API Gateway alone costs ${usd(by('single')['API Gateway or bus'])} then. The API is a REST API, which has a web ACL, compression and answers of its own to throttled requests; an HTTP API for ${usd(httpApiUsd / 10)} has not.
[ADR 16](adr/0016-one-item-for-a-cohort.md) has the sums of what else was studied.

The ten webhooks are of one cohort, because they were created one after another. In cohorts of five a million deliveries cost ${usd(total(thin(5)))}, and in cohorts of one ${usd(total(thin(1)))}, with one event a request.

## Beside other services

A million deliveries, in dollars, without fees of plans. The prices of Svix, Hookdeck and Convoy were read in
[API Evangelist](https://github.com/api-evangelist)'s transcriptions of their pages:

${serviceTable(measured, prices)}

${services.map(({ name, note }) => `- ${name}: ${note}.`).join('\n')}

## A month

A stage like \`prod\`, with the idle stage below, ${customMetrics} custom metrics (${usd(costOf(prices, 'customMetrics', customMetrics))}, if all of them are counted each hour; an account has ten for free), a fan-out of 10 and 2 KB:

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

List prices a month of 30 days. *Free* is AWS's free tier without a time limit, assumed to be unused by anything else in the account. These are billed by use and cost nothing while idle: API Gateway,
EventBridge, SES, SNS, CodeDeploy, custom metrics (the functions count nothing without requests).

${restTable(prices)}

An idle stage costs under a dollar a month in an account of its own, plus the alarms and the key of prod. The reasons for the cost beyond the free tier:

- **Polls.** Lambda polls an idle queue with five pollers that wait 20 s each: ${polls(5).toLocaleString('en')} requests a month (${usd(costOf(prices, 'queueRequests', polls(5)))}). Without a cap on concurrency AWS reduces them to two, ${polls(2).toLocaleString('en')} (${usd(costOf(prices, 'queueRequests', polls(2)))});
  [with a cap it does not](https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html). The four queues that traffic can fill are capped in every stage, because an uncapped one can take all of the
  account's executions from the API ([scale.md](scale.md#concurrent-executions)).
- **The sweep.** It runs every minute, because a retry may be at most a minute late. \`everyMinutes: { 'due/sweep': 5 }\` reduces its cost to a fifth. 16 shards allow 16,000 due items a
  second; each costs 0.0027 a month while idle.
- **Alarms.** 0.10 each beyond ten. There are ${alarmsOfStage} because faults, long runs and lost events of Ghost are counted in the logs, three metrics for the whole stage: watching errors and duration of each function
  would be about sixty alarms (6.00). Dead letters and age are watched for each queue, because AWS has no metric with their sum.
- **Not used:** NAT gateway (33), VPC, provisioned concurrency (5.50 per function at 512 MiB), Secrets Manager (0.40 per secret), X-Ray.

Settings that cost more:

| setting | per month |
|---|---|
| \`features.customerManagedKey\`, on in \`prod\` | 1.00, and 0.03 for 10,000 uses |
| \`features.waf\` | 5.00 for the web ACL, 5.00 for its five rules, 0.60 a million requests |
| \`domain\` | nothing; a Route 53 zone is 0.50 |
| \`features.dashboard\` beyond the account's third | 3.00 |

## Prices

The files of \`lab/cost/prices/\`, one for each region. A question mark: no page was found that confirms the price, so check AWS's before you rely on it.

${priceTable(lists)}
`;
};
