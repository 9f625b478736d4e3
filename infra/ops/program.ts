/** The operator's command line: every command of `npm run ops`. */
import { command, sections } from '../command-line/command.ts';
import { audit } from './audit.ts';
import { complete, completion } from './completion.ts';
import { deliveries } from './deliveries.ts';
import { doctor } from './doctor.ts';
import { explainStack } from './explain-stack.ts';
import { importGhost } from './import-ghost.ts';
import { integrations } from './integrations.ts';
import { invites } from './invites.ts';
import { keys } from './keys.ts';
import { prove } from './prove.ts';
import { publish } from './publish.ts';
import { redrive } from './redrive.ts';
import { reference } from './reference.ts';
import { replay } from './replay.ts';
import { restore } from './restore.ts';
import { seed } from './seed.ts';
import { staff } from './staff.ts';
import { stats } from './stats.ts';
import { webhooks } from './webhooks.ts';

export const ops = command('npm run ops --')
  .description("Tasks of a stage's operator.")
  .addHelpText(
    'after',
    sections({
      examples: {
        'What a command does and takes': 'npm run ops -- redrive --help',
        'Follow the deliveries of the stack on this machine': 'npm run ops -- deliveries tail',
        'What would stop a stage': 'npm run ops -- doctor --stage prod',
      },
    }),
  );

for (const subcommand of [
  keys,
  integrations,
  webhooks,
  publish,
  deliveries,
  replay,
  invites,
  staff,
  stats,
  audit,
  seed,
  doctor,
  prove,
  redrive,
  restore,
  importGhost,
  explainStack,
  completion,
  reference,
])
  ops.addCommand(subcommand);
ops.addCommand(complete, { hidden: true });
