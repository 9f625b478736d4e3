/** `npm run ops -- erase`: removes what a stage holds about one person. */
import { command, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { print } from '../command-line/print.ts';
import type { Person } from './erase/erase-person.ts';
import { confirm, yesHelp } from './output/confirm.ts';
import { configOf, deployedStages, stageOption } from './stage-of.ts';

/** @throws UsageError */
const person = (text: string): Person => {
  const [, kind, who] = /^(member|staff|invite)\/(.+)$/.exec(text) ?? [];
  if (kind === undefined || who === undefined || (kind === 'invite' && !who.includes('@')))
    throw new UsageError(`'${text}' must be member/<id or address>, staff/<id or address> or invite/<address>.`);
  return { kind: kind as Person['kind'], who };
};

const notReached = [
  'messages that wait in queues, and dead letters: 14 days at most',
  'the audit log: audit.keepDays',
  'backups of the table: 35 days',
  'the copies of receivers, the inbox of the person, and the suppression list of SES',
];

export const erase = command('erase')
  .summary('Removes what a stage holds about one person.')
  .description(
    `Removes what a stage holds about one person, and records it in the audit log without the person's id or address:

- of a reader, the payloads of the events member.*, and their deliveries with what receivers answered
- of a removed staff member, the same of the events staff.*, the invites of the address, and the name in invites of others
- of an invited address, its invites; an open invitation ends

It reads the whole table with your AWS credentials, twice, and can be stopped and run again. The ids of the events stay known, so that publishing them again has no effect. It does not reach:

${notReached.map((one) => `- ${one}`).join('\n')}`,
  )
  .argument('<person>', 'member/<id or address>, staff/<id or address> or invite/<address>.', person)
  .addOption(stageOption(deployedStages).makeOptionMandatory())
  .option('--yes', yesHelp(), false)
  .addHelpText(
    'after',
    sections({ examples: { 'A reader': 'npm run ops -- erase member/ada@example.com --stage prod' } }),
  )
  .action(async (chosen, { stage, yes }) => {
    await confirm(`Erase ${chosen.kind} ${chosen.who} from ${stage}? Nobody can undo that.`, yes);
    const { eraseFromStage } = await import('./erase/erase-person.ts');
    const { events, deliveries, invites } = await eraseFromStage(await configOf(stage), chosen);
    print(`Erased ${events} events, ${deliveries} deliveries and ${invites} invites.`);
    print(`Not reached:\n${notReached.map((one) => `  ${one}`).join('\n')}`);
  });
