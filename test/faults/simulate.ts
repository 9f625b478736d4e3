/**
 * `npm run simulate`: the delivery engine as it is, in a simulated world of bad weather. Prints what came of it, and fails where
 * anything was lost or delivered again.
 */
import '../support/simulation/replace.ts';
import { runCommand } from '../../infra/commands/command.ts';

const number = (value: string, preset: string, tells: string) =>
  ({ type: 'string', value, default: preset, tells }) as const;

await runCommand(
  {
    usage: 'npm run simulate [-- options]',
    does: 'Runs the delivery engine in a simulated world of bad weather. Ends with 1 where a delivery was lost or made again.',
    options: {
      deliveries: number('<number>', '100000', 'how many there are'),
      seed: number('<number>', '1', 'the same seed is the same weather'),
      killed: number('<share>', '0.1', 'of the runs that die'),
      doubled: number('<share>', '0.05', 'of the messages that come twice'),
      throttled: number('<share>', '0.05', 'of the calls that the table throttles'),
      failing: number('<share>', '0.1', 'of the receivers that fail for a while'),
      outage: number('<minutes>', '40', 'for which the table is gone'),
    },
  },
  async ({ values }) => {
    const { outage: outageMinutes, ...weather } = numbersOf(values);
    const { storm } = await import('./storm.ts');
    const began = performance.now();
    const { examples, ...report } = await storm({ ...weather, outageMinutes });
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(JSON.stringify({ seed: weather.seed, ...report, seconds }));
    for (const example of examples) console.log(example);
    if (report.lost > 0 || report.again > 0) process.exitCode = 1;
  },
);

function numbersOf<Name extends string>(values: Readonly<Record<Name, string>>): Record<Name, number> {
  const numbers = Object.entries<string>(values).map(([name, text]) => {
    const read = Number(text);
    if (text.trim() === '' || !(read >= 0)) throw new Error(`--${name} is ${JSON.stringify(text)}; it is a number.`);
    return [name, read] as const;
  });
  return Object.fromEntries(numbers) as Record<Name, number>;
}
