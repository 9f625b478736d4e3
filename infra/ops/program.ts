/** The operator's command line: every command of `npm run ops`. */
import { command, sections } from '../command-line/command.ts';
import { apply } from './apply.ts';
import { withGenerated } from './commands/generate.ts';
import { complete, completion } from './completion.ts';
import { list as listDeliveries } from './deliveries/list.ts';
import { redeliver } from './deliveries/redeliver.ts';
import { show } from './deliveries/show.ts';
import { tail } from './deliveries/tail.ts';
import { doctor } from './doctor.ts';
import { erase } from './erase.ts';
import { explainStack } from './explain-stack.ts';
import { exportConfiguration } from './export.ts';
import { importGhost } from './import-ghost.ts';
import { create as createInvites } from './invites/create.ts';
import { keys } from './keys.ts';
import { prove } from './prove.ts';
import { publish } from './publish.ts';
import { recover } from './recover.ts';
import { redrive } from './redrive.ts';
import { replay } from './replay.ts';
import { restore } from './restore.ts';
import { seed } from './seed.ts';
import { changeAddress } from './staff/change-address.ts';
import { handOver } from './staff/hand-over.ts';
import { stats } from './stats.ts';
import { list as listWebhooks } from './webhooks/list.ts';

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

/** Commands that are written by hand, below the nouns that the API document has too. */
const inGroups = {
  keys,
  integrations: [],
  webhooks: [listWebhooks],
  deliveries: [listDeliveries, show, redeliver, tail],
  invites: [createInvites],
  staff: [handOver, changeAddress],
};

for (const subcommand of withGenerated(inGroups, [
  publish,
  replay,
  recover,
  stats,
  seed,
  doctor,
  prove,
  redrive,
  restore,
  erase,
  exportConfiguration,
  apply,
  importGhost,
  explainStack,
  completion,
]))
  ops.addCommand(subcommand);
ops.addCommand(complete, { hidden: true });
