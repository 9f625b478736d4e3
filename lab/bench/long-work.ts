/** `npm --prefix lab run bench:long`: measures work that takes a function seconds or minutes (`long-runs.ts`). */
import { Argument } from '@commander-js/extra-typings';
import { command, run } from '../../infra/command-line/command.ts';
import type { LongWork } from './long-runs.ts';

const names = ['sweep', 'fan-out', 'ten-events', 'deletion', 'replay'] as const satisfies readonly LongWork[];

await run(
  command('npm --prefix lab run bench:long --')
    .description('Measures long work with the real functions, and DynamoDB and SQS in memory with the latency of AWS.')
    .addArgument(new Argument('[work...]', 'What to measure (default: all).').choices(names))
    .option('--page', 'Write the fan-outs into lab/reports/performance.md.', false)
    .action(async (named, { page }) => {
      // Starts a process, which the help does not need.
      const { works, end } = await import('./long-runs.ts');
      try {
        for (const name of names) if (named.length === 0 || named.includes(name)) await works[name](page);
      } finally {
        end();
      }
    }),
);
process.exit();
