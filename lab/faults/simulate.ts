/** `npm --prefix lab run simulate`: runs the functions in a simulated world; fails if a figure misses its gate. */
import { Argument } from '@commander-js/extra-typings';
import { command, numberFrom, run, wholeNumber } from '../../infra/command-line/command.ts';
import { mutants, mutationOf } from './mutants.ts';
import { type Finished, runInProcesses, type WorldChoice } from './processes.ts';
import { scenarios } from './scenarios/index.ts';
import { missed, type Report } from './scenarios/scenario.ts';

/** A mutant counts as detected if at least one of its worlds missed a gate. */
const showMutants = (finished: readonly Finished[]): void => {
  console.log();
  mutants.forEach(({ name }, number) => {
    const worlds = finished.filter(({ mutant }) => mutant === number);
    const noticed = worlds.filter(({ report }) => missed(report).length > 0).length;
    if (noticed === 0) process.exitCode = 1;
    console.log(`${noticed === 0 ? '✗' : ' '} ${name}: detected in ${noticed} of ${worlds.length} worlds`);
  });
};

/** Merges the worlds' figures: sums of counts and of figures that must be 0, and the slowest of the others. */
const sumOf = (finished: readonly Finished[]): Report['figures'] =>
  Object.fromEntries(
    Object.keys(finished[0]?.report.figures ?? {}).map((name) => {
      const values = finished.map(({ report }) => report.figures[name] ?? 0);
      return [name, name.startsWith('slowest') ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)];
    }),
  );

const showSum = (finished: readonly Finished[]): void => {
  const [first] = finished;
  if (first === undefined) return;
  const { gates } = first.report;
  const sums = sumOf(finished);
  console.log(`\n${first.name}, ${finished.length} worlds together`);
  print(sums, gates, missed({ figures: sums, gates, examples: [] }));
};

const print = (figures: Report['figures'], gates: Report['gates'], misses: readonly string[]): void => {
  const wide = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, value] of Object.entries(figures)) {
    const { atMost, atLeast } = gates[name] ?? {};
    const gate = [atMost !== undefined && `≤ ${atMost}`, atLeast !== undefined && `≥ ${atLeast}`]
      .filter(Boolean)
      .join(', ');
    const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
    console.log(`${misses.includes(name) ? '✗' : ' '} ${name.padEnd(wide)} ${shown.padStart(9)}  ${gate}`.trimEnd());
  }
};

const show = ({ name, seed, mutant, report, seconds }: Finished, isJson: boolean): void => {
  const { figures, gates, examples } = report;
  const misses = missed(report);
  if (mutant === undefined && misses.length > 0) process.exitCode = 1;
  if (isJson) {
    console.log(
      JSON.stringify({ name, seed, mutant, seconds: Math.round(seconds), figures, gates, missed: misses, examples }),
    );
    return;
  }
  console.log(
    `\n${name}, seed ${seed}${mutant === undefined ? '' : `, mutant «${mutants[mutant]?.name}»`}, ` +
      `${Math.round(seconds)} s`,
  );
  print(figures, gates, misses);
  for (const example of examples) console.log(`    ${example}`);
};

/** Runs worlds one after the other in this process, which bundles the functions only once. */
const runHere = async (
  worlds: readonly WorldChoice[],
  { scale, stage, log }: { readonly scale: number; readonly stage: 'prod'; readonly log: boolean },
  onFinished: (finished: Finished) => void,
): Promise<Finished[]> => {
  const finished: Finished[] = [];
  for (const world of worlds) {
    const mutation = mutants[world.mutant ?? -1];
    const began = performance.now();
    const report = await scenarios[world.name]?.run({
      seed: world.seed,
      scale,
      stage,
      mutate: mutation && mutationOf(mutation),
      ...(log && { onLine: (line: string) => process.stdout.write(line) }),
    });
    if (report === undefined) throw new Error(`There is no scenario ${world.name}.`);
    const one = { ...world, report, seconds: (performance.now() - began) / 1000 };
    onFinished(one);
    finished.push(one);
  }
  return finished;
};

const names = Object.keys(scenarios);
const width = Math.max(...names.map((name) => name.length));

await run(
  command('npm --prefix lab run simulate --')
    .description('Runs the functions in a simulated world. The exit code is 1 if a figure misses its gate.')
    .addArgument(new Argument('<scenario>', 'A scenario in the list below, or all.').choices([...names, 'all']))
    .option('--seed <number>', 'Seed of the world; the same seed repeats it.', wholeNumber('--seed', 0), 1)
    .option('--seeds <number>', 'Number of worlds, with consecutive seeds.', wholeNumber('--seeds'), 1)
    .option('--processes <number>', 'Number of worlds that run at the same time.', wholeNumber('--processes'), 2)
    .option('--scale <share>', 'Share of the full size, from 0 to 1.', numberFrom('--scale', 0), 1)
    .option('--stage <name>', 'Row of the stage table.', 'prod')
    .option('--mutants', 'Apply known mistakes to the product; the scenario must detect each of them.')
    .option('--mutant <number>', 'Apply one of these mistakes.', wholeNumber('--mutant', 0))
    .option('--json', 'Print a line of JSON for each world.', false)
    .option('--log', 'Print the log of the functions.', false)
    .addHelpText(
      'after',
      `\nScenarios:\n${names.map((name) => `  ${name.padEnd(width)}  ${scenarios[name]?.shows}`).join('\n')}`,
    )
    .action(async (chosen, { seed, seeds, processes, scale, stage, mutants: isMutated, mutant, json, log }) => {
      const wanted = chosen === 'all' ? names : [chosen];
      const worlds = wanted.flatMap((name) =>
        Array.from({ length: seeds }, (_, number) => ({ name, seed: seed + number })).flatMap((world) =>
          isMutated ? mutants.map((_, number) => ({ ...world, mutant: number })) : [{ ...world, mutant }],
        ),
      );
      const script = { file: import.meta.filename, args: ['--scale', String(scale), '--stage', stage] };
      const finished =
        worlds.length === 1 || processes === 1
          ? await runHere(worlds, { scale, stage: stage as 'prod', log }, (one) => show(one, json))
          : await runInProcesses(script, worlds, processes, (one) => show(one, json));
      if (isMutated) showMutants(finished);
      else if (seeds > 1 && !json) for (const name of wanted) showSum(finished.filter((one) => one.name === name));
    }),
);
