/**
 * `npm --prefix lab run bench`: measures the local stack in rounds. Times depend on the machine and its load, so
 * `--beside` measures another checkout in turns with this one. Fails if this one takes over twice its CPU or memory.
 */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { benches, type Values } from './benches.ts';
import { withCounter } from './counter.ts';
import { median } from './statistics.ts';

/** Returns a number with three significant digits; digits before the decimal point are never rounded away. */
const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toPrecision(Math.min(3, Math.abs(value) < 1 ? 2 : 3));

const own = join(import.meta.dirname, '../..');
const output = v.object({ values: v.tuple([v.record(v.string(), v.number())]) });

/** Measures one round of a checkout in a process of its own, warm-up included. */
const roundOf = (checkout: string, name: string): Values => {
  const args = ['--disable-warning=ExperimentalWarning', 'bench/bench.ts', name, '--rounds', '1', '--json'];
  const printed = execFileSync(process.execPath, args, { cwd: join(checkout, 'lab'), encoding: 'utf8' });
  return v.parse(output, JSON.parse(printed)).values[0];
};

/** Figures that must not double: a machine that is busy changes them little, and both checkouts alike. */
const mostRatio = 2;
const isGated = (figure: string, unit: string): boolean => figure === 'CPU' || unit === 'MiB';

/** Measures both checkouts in turns, in alternating order, and prints the median of the ratios of each pair. */
const measureBeside = (
  other: string,
  name: string,
  rounds: number,
  figures: Readonly<Record<string, string>>,
): void => {
  const pairs = Array.from({ length: rounds }, (_, round) => {
    const sides = round % 2 === 0 ? [own, other] : [other, own];
    const values = new Map(sides.map((side) => [side, roundOf(side, name)]));
    return { mine: values.get(own) ?? {}, theirs: values.get(other) ?? {} };
  });
  console.log(`${name}, ${rounds} pairs of rounds`);
  for (const [figure, unit] of Object.entries(figures)) {
    const [mine, theirs] = [pairs.map((pair) => pair.mine[figure] ?? 0), pairs.map((pair) => pair.theirs[figure] ?? 0)];
    const ratio = median(mine.map((value, at) => value / (theirs[at] ?? 0)));
    const isTooMuch = isGated(figure, unit) && ratio > mostRatio;
    if (isTooMuch) process.exitCode = 1;
    const sides = `${shown(median(mine)).padStart(7)} ${unit.padEnd(13)} beside ${shown(median(theirs)).padStart(7)}`;
    console.log(`  ${figure.padEnd(44)} ${sides}  ratio ${ratio.toFixed(2)}${isTooMuch ? ': more than twice' : ''}`);
  }
};

const width = Math.max(...Object.keys(benches).map((name) => name.length)) + 2;
const list = Object.entries(benches).map(([name, { description }]) => `  ${name.padEnd(width)}${description}`);

await run(
  command('npm --prefix lab run bench --')
    .description(
      'Measures the local stack, with its table and queues in memory: ' +
        'medians of rounds, with the lowest and the highest. Without a name, runs all benchmarks.',
    )
    .addArgument(new Argument('[name...]', 'What to measure.').choices(Object.keys(benches)))
    .option('--rounds <number>', 'Rounds (default: depends on the benchmark).', wholeNumber('--rounds'))
    .option('--beside <checkout>', 'Also measure the checkout in this folder, in turns, with its own packages.')
    .option('--json', 'Print JSON: all values of all rounds.', false)
    .addHelpText('after', `\nBenchmarks:\n${list.join('\n')}`)
    .action(async (named, { rounds, beside, json }) => {
      for (const [name, bench] of Object.entries(benches)) {
        if (named.length > 0 && !named.includes(name)) continue;
        if (beside !== undefined) {
          measureBeside(resolve(process.env.INIT_CWD ?? '.', beside), name, rounds ?? bench.rounds, bench.figures);
          continue;
        }
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
