/** `npm run ops -- apply`: shows how a stage differs from a file, then changes integrations, webhooks and options. */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { fileAt, textOf } from '../command-line/file-at.ts';
import { print } from '../command-line/print.ts';
import { connect, environment, stageCommand } from './api/connection.ts';
import { parseFile } from './files/configuration.ts';
import { planOf, type Step } from './files/plan.ts';
import { applySteps, readStage } from './files/stage.ts';
import { confirm, yesHelp } from './output/confirm.ts';

const marks = { POST: '+', PUT: '~', DELETE: '-' } as const;
const textOfStep = ({ method, title, details }: Step): string =>
  [`${marks[method]} ${title}`, ...details.map((line) => `    ${line}`)].join('\n');

export const apply = stageCommand('apply')
  .summary('Changes the integrations, webhooks and options of a stage to those of a file.')
  .description(
    'Shows how a stage differs from a file of export, asks, and changes the stage. Run it again after a stop: ' +
      'it does what is left.\n\n' +
      'An integration is found by its name, and a webhook by its name, else by its event and target. ' +
      'What the file leaves out of a webhook has its default. ' +
      `Targets and secrets can have variables, such as \${WEBHOOK_HOST}/posts. ` +
      'A secret is set when its webhook is new, or gets another target or format; --set-secrets sets it again.',
  )
  .argument('<file>', 'The file; - is standard input.')
  .option('--dry-run', 'Only show what differs: change nothing.', false)
  .option('--prune', 'Delete the integrations, with their keys, and the webhooks that the file does not have.', false)
  .option('--set-secrets', 'Set those secrets of existing webhooks again whose variables are set.', false)
  .option(
    '--new-secrets <file>',
    'Make a secret for each new webhook whose variable is not set, and add it to this file as NAME=value.',
  )
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({
      environment,
      examples: {
        'What would change': 'npm run ops -- apply webhooks.json --stage prod --dry-run',
        'From dev to prod': 'npm run ops -- apply webhooks.json --stage prod --new-secrets prod.env',
        'A header has a new token': 'WEBHOOK_TOKEN=… npm run ops -- apply webhooks.json --stage prod --set-secrets',
      },
    }),
  )
  .action(async (path, { dryRun, prune, setSecrets, newSecrets, yes, ...options }) => {
    const values = { ...process.env };
    const file = parseFile(textOf(path, 'The file'), values);
    const caller = await connect(options);
    const stage = await readStage(caller);
    const plan = () => planOf(file, stage, { prune, secrets: setSecrets, values });
    let steps = plan();
    print(steps.length === 0 ? 'Nothing differs.' : steps.map(textOfStep).join('\n'));
    const made = new Set(newSecrets === undefined ? [] : steps.flatMap(({ unsigned = [] }) => unsigned));
    for (const name of made) values[name] = `whsec_${randomBytes(32).toString('base64')}`;
    if (made.size > 0) steps = plan();
    const missing = new Set(steps.flatMap((step) => step.missing));
    const needed =
      `These variables are needed and not set: ${[...missing].join(', ')}. ` +
      `--new-secrets makes those that sign deliveries; a webhook without \`secret\` is not signed.`;
    if (missing.size > 0 && !dryRun) throw new UsageError(needed);
    if (missing.size > 0) print(needed);
    if (dryRun || steps.length === 0) return;
    await confirm(`Make ${steps.length === 1 ? 'this change' : `these ${steps.length} changes`}?`, yes);
    // Before they are used, so that none is lost.
    if (newSecrets !== undefined)
      appendFileSync(fileAt(newSecrets), [...made].map((name) => `${name}=${values[name]}\n`).join(''), {
        mode: 0o600,
      });
    for (const { integration, id } of await applySteps(caller, stage, steps))
      print(
        `The key of ${integration} was not printed. To replace it with one that is: npm run ops -- keys roll ${id}`,
      );
    print('Done.');
  });
