/**
 * Compares the CPU time of deliveries to webhooks with options and without. The handler, its stubs and its receiver are those of `deliver.ts`: full
 * batches of the normal lane, with events for ten webhooks each. A webhook with options has a filter that matches, two headers, and one of the
 * formats. The gate is the median of the pairs: at most 20 % more for each format.
 */
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { startBareLoop } from './bare-loop.ts';
import { bareBatch, deliverBatch, fullBatch, ofMessage } from './batches.ts';
import { type Act, compare, inMicros, inPercent } from './cpu.ts';
import { startLogSink } from './log-sink.ts';
import { importDeliver, makeDeliveries } from './stubbed-aws.ts';

const gate = 1.2;

/** The formats that work with any target. */
const formats: Readonly<Record<string, object>> = {
  ghost: { type: 'ghost' },
  slack: { type: 'slack' },
  discord: { type: 'discord' },
  teams: { type: 'teams' },
  github: { type: 'github', token: 'github_pat_1' },
  'deploy-hook': { type: 'deploy-hook' },
  meilisearch: { type: 'meilisearch', api_key: 'key' },
  algolia: { type: 'algolia', application_id: 'APP', api_key: 'key' },
  template: { type: 'template', template: { text: '{{post.current.title}}', event: '{{event}}' } },
};

const optionsWith = (format: object): object => ({
  description: null,
  headers: { 'X-Team': 'news', Authorization: 'Bearer 5e8c' },
  format,
  filter: { post: { current: { title: [{ prefix: 'x' }] } } },
});

const measure = async (pairs: number, requests: number): Promise<void> => {
  const { origin, post, close } = await startBareLoop(ofMessage);
  const nextBatch = await makeDeliveries(origin);
  const deliver = await importDeliver();
  const { given } = await import('./stubbed-table.ts');
  const size = fullBatch * ofMessage;
  let events: object[] = [];
  const actOf = (options: object | undefined): Act => {
    const act = deliverBatch(deliver, () => events.pop() ?? {}, size);
    return () => {
      given.options = options;
      return act();
    };
  };
  const sink = startLogSink();
  try {
    const { micros, share } = await compare({
      pairs,
      requests,
      prepare: (count) => {
        events = Array.from({ length: count }, () => nextBatch(fullBatch, 'few'));
      },
      bare: bareBatch(post, size),
      acts: {
        none: actOf(undefined),
        ...Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, actOf(optionsWith(format))])),
      },
    });
    // The log goes to the console again.
    sink.close();
    console.log('| a delivery to a webhook | CPU | of one without options |');
    console.log('|---|---:|---:|');
    for (const name of ['none', ...Object.keys(formats)]) {
      const more = share('none') / share(name);
      console.log(
        `| ${name === 'none' ? 'without options' : `with options, ${name}`} | ${inMicros(micros(name))} | ${inPercent(more)} |`,
      );
      if (more > gate) process.exitCode = 1;
    }
    console.log(`\nMedians of ${pairs} pairs; gate: ${inPercent(gate)}.`);
  } finally {
    await close();
  }
};

await run(
  command('npm --prefix lab run bench:options --')
    .description(
      'Measures the CPU time of deliveries to webhooks with a filter, two headers and a format, against deliveries without options, with AWS stubbed. Fails above 120 %.',
    )
    .argument('[pairs]', 'Pairs of rounds; the result is their median.', wholeNumber('<pairs>'), 11)
    .argument('[requests]', 'Requests of a round.', wholeNumber('<requests>'), 2000)
    .action(measure),
);
process.exit();
