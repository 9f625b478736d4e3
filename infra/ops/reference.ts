/** `npm run ops -- reference`: prints the help of every command as one Markdown page. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { command, sections } from '../command-line/command.ts';
import { print } from '../command-line/print.ts';

const columns = 120;

export interface Help {
  /** As a user types it. */
  readonly name: string;
  readonly text: string;
  /** How many names of commands precede its options. */
  readonly depth: number;
}

/** Returns the help of a command and of all below it, in the order of their lists. */
export const helpsOf = (program: CommandUnknownOpts, parents: readonly string[] = []): readonly Help[] => {
  const names = [...parents, program.name()];
  const below = program.createHelp().visibleCommands(program);
  return [
    { name: names.join(' '), text: textOf(program), depth: parents.length },
    ...below.flatMap((subcommand) => helpsOf(subcommand, names)),
  ];
};

const textOf = (command: CommandUnknownOpts): string => {
  let text = '';
  const before = command.configureOutput();
  command.configureOutput({
    ...before,
    getOutHelpWidth: () => columns,
    getOutHasColors: () => false,
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  command.configureOutput(before);
  return text.trimEnd();
};

/** Returns a section for each command. */
export const referenceOf = (program: CommandUnknownOpts): string =>
  helpsOf(program)
    .map(
      ({ name, text, depth }) => `${'#'.repeat(Math.min(depth + 2, 4))} \`${name}\`\n\n\`\`\`text\n${text}\n\`\`\`\n`,
    )
    .join('\n');

export const reference = command('reference')
  .summary('Prints the help of every command as Markdown.')
  .description('Prints the help of every command of npm run ops as one Markdown page.')
  .addHelpText('after', sections({ examples: { 'Into a file': 'npm run -s ops -- reference > reference.md' } }))
  .action((_options, { parent }) => {
    if (parent !== null) print(`# npm run ops\n\n${referenceOf(parent)}`);
  });
