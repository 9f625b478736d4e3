/** `npm --prefix lab run bench`: measures the local stack in rounds. Times depend on the machine and its load: compare two revisions in turns, in two checkouts. */
import { Argument } from '@commander-js/extra-typings';
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { benches } from './benches.ts';
import { withCounter } from './counter.ts';
import { median } from './statistics.ts';

/** Returns a number with three significant digits; digits before the decimal point are never rounded away. */
const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toPrecision(Math.min(3, Math.abs(value) < 1 ? 2 : 3));

const width = Math.max(...Object.keys(benches).map((name) => name.length)) + 2;
const list = Object.entries(benches).map(([name, { description }]) => `  ${name.padEnd(width)}${description}`);

await run(
  command('npm --prefix lab run bench --')
    .description(
      'Measures the local stack, with its table and queues in memory: medians of rounds, with the lowest and the highest. Without a name, runs all benchmarks.',
    )
    .addArgument(new Argument('[name...]', 'What to measure.').choices(Object.keys(benches)))
    .option('--rounds <number>', 'Rounds (default: depends on the benchmark).', wholeNumber('--rounds'))
    .option('--json', 'Print JSON: all values of all rounds.', false)
    .addHelpText('after', `\nBenchmarks:\n${list.join('\n')}`)
    .action(async (named, { rounds, json }) => {
      for (const [name, bench] of Object.entries(benches)) {
        if (named.length > 0 && !named.includes(name)) continue;
        const values = await withCounter(300, (counter) => bench.measure(counter, rounds ?? bench.rounds));
        if (json) console.log(JSON.stringify({ bench: name, values }));
        else {
          console.log(`${name}, ${values.length} rounds`);
          for (const [figure, unit] of Object.entries(bench.figures)) {
            const found = values.map((round) => round[figure] ?? Number.NaN);
            const spread = `${shown(Math.min(...found))} to ${shown(Math.max(...found))}`;
            console.log(`  ${figure.padEnd(44)} ${shown(median(found)).padStart(7)} ${unit.padEnd(13)} ${spread}`);
          }
        }
      }
    }),
);
