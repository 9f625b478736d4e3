/** `npm --prefix lab run smallest`: runs each instrument that needs no network in small, so that none rots. */
import { command, run } from '../infra/command-line/command.ts';
import { smallest } from './instruments.ts';
import { runInstruments } from './run-instruments.ts';

await run(
  command('npm --prefix lab run smallest --')
    .description(
      'Runs each instrument that needs no network in its smallest form, two at a time, so that what they measure ' +
        'says nothing. The exit code is 1 if one of them fails or prints nothing that it measured; ' +
        'a gate that it misses on a busy machine is no failure.',
    )
    .action(async () => {
      if (!(await runInstruments(smallest, { mustPass: false, atATime: 2 }))) process.exitCode = 1;
    }),
);
