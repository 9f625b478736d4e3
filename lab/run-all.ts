/** `npm --prefix lab run all`: runs the judges that are installed from registries. */
import { command, run } from '../infra/command-line/command.ts';
import { withJudges } from './instruments.ts';
import { runInstruments } from './run-instruments.ts';

await run(
  command('npm --prefix lab run all --')
    .description(
      'Runs the judges that are installed from npm, PyPI or Maven: known vulnerabilities, cfn-lint and the rehearsal of ' +
        'a deployment with moto. One that cannot be installed is skipped, with the reason. ' +
        'The exit code is 1 if a judge finds something.',
    )
    .action(async () => {
      if (!(await runInstruments(withJudges, { mustPass: true, atATime: 1 }))) process.exitCode = 1;
    }),
);
