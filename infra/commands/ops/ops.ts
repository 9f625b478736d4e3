/** `npm run ops -- <command>`: the operator's command line. */
import { command, run, sections } from '../command.ts';
import { doctor } from './doctor/doctor.ts';
import { importGhost } from './import-ghost.ts';
import { migrate } from './migrate.ts';
import { redrive } from './redrive.ts';
import { restore } from './restore/restore.ts';
import { seed } from './seed.ts';

const ops = command('npm run ops --')
  .description("Tasks of a stage's operator.")
  .addHelpText(
    'after',
    sections({
      examples: {
        'What a command does and takes': 'npm run ops -- redrive --help',
        'What would stop the stack on this machine': 'npm run ops -- doctor --stage local',
      },
    }),
  );

for (const subcommand of [doctor, importGhost, migrate, redrive, restore, seed]) ops.addCommand(subcommand);

await run(ops);
