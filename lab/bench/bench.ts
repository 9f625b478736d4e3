/**
 * `npm --prefix lab run bench`: measures the local stack in rounds, or two revisions of it in turns. Times depend on the machine and its load;
 * ratios within one run depend on them much less.
 */
import { Argument } from '@commander-js/extra-typings';
import { command, run, sections, wholeNumber } from '../../infra/command-line/command.ts';
import { type Counter, withCounter } from './counter.ts';
import type { Bench, Values } from './stack/bench.ts';
import { benches } from './stack/benches.ts';
import { writePage } from './stack/page.ts';
import { type Result, tableOf } from './stack/results.ts';
import { type Revision, revisionOf, thisRevision } from './stack/revision.ts';

/** Measures all revisions in turns, in alternating order so that no revision is always the first. */
const measure = async (
  counter: Counter,
  bench: Bench,
  revisions: readonly Revision[],
  { rounds, args }: { readonly rounds: number; readonly args: readonly string[] },
): Promise<readonly (readonly Values[])[]> => {
  const sides = [];
  try {
    for (const revision of revisions)
      sides.push({ prepared: await bench.prepare({ revision, counter, args }), values: [] as Values[] });
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) side.values.push(await side.prepared.round());
  } finally {
    for (const { prepared } of sides) await prepared.end();
  }
  return sides.map(({ values }) => values);
};

const width = Math.max(...Object.keys(benches).map((name) => name.length)) + 2;
const list = Object.entries(benches).map(([name, { description }]) => `  ${name.padEnd(width)}${description}`);

await run(
  command('npm --prefix lab run bench --')
    .description(
      'Measures the local stack, with its table and queues in memory. Without a name, runs all benchmarks except the long ones.',
    )
    .addArgument(new Argument('[name...]', 'What to measure.').choices(Object.keys(benches)))
    .option('--compare <ref>', 'Also measure this git revision, in turns, and print ratios with 95 % intervals.')
    .option(
      '--rounds <number>',
      'Rounds of each revision (default: depends on the benchmark).',
      wholeNumber('--rounds'),
    )
    .option('--files', 'Keep table and queues in files, as npm start does.', false)
    .option('--json', 'Print JSON: all values of all rounds.', false)
    .option('--page', 'Add the results to lab/reports/performance.json and write lab/reports/performance.md.', false)
    .addHelpText('after', `\nBenchmarks:\n${list.join('\n')}`)
    .addHelpText(
      'after',
      sections({
        examples: { 'Compare the fan-out with a revision': 'npm --prefix lab run bench -- fan-out --compare a6b3e4a' },
      }),
    )
    .action(async (named, { compare, rounds, files, json, page }) => {
      const chosen = Object.entries(benches).filter(([name, { isLong = false }]) =>
        named.length === 0 ? !isLong : named.some((one) => one === name),
      );
      const revisions = [thisRevision(), ...(compare === undefined ? [] : [revisionOf(compare)])];
      const args = files ? [] : ['--memory'];
      const results: Result[] = [];
      try {
        for (const [name, bench] of chosen) {
          const values = await withCounter(1, (counter) =>
            measure(counter, bench, revisions, { rounds: rounds ?? bench.rounds, args }),
          );
          const sides = revisions.map((revision, at) => ({ revision: revision.name, rounds: values[at] ?? [] }));
          const options = [
            ...(compare === undefined ? [] : [`--compare ${compare}`]),
            ...(rounds === undefined ? [] : [`--rounds ${rounds}`]),
            ...(files ? ['--files'] : []),
          ];
          const result = { bench: name, command: ['npm --prefix lab run bench --', name, ...options].join(' '), sides };
          results.push(result);
          // Write each result at once, so that an interrupted run keeps what it has measured.
          if (page) writePage([result]);
          if (!json) console.log(tableOf(result));
        }
      } finally {
        for (const revision of revisions) revision.remove();
      }
      if (json) console.log(JSON.stringify(results, null, 2));
    }),
);
