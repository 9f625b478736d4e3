/** `npm run ops -- completion`: a shell function `masthead` for these commands, and its completion. */
import { join } from 'node:path';
import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { isPackage, root } from '../cdk/root.ts';
import { command, sections } from '../command-line/command.ts';
import { print } from '../command-line/print.ts';
import { quote } from '../local/shell.ts';

const name = 'masthead';
const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export const completion = command('completion')
  .summary('Prints a script that completes these commands in your shell.')
  .description(
    `Prints a script for your shell: a function ${name}, which runs these commands from any folder, and the ` +
      'completion of its commands, options and values.',
  )
  .addArgument(new Argument('<shell>', 'Your shell.').choices(shells))
  .addHelpText(
    'after',
    sections({
      examples: {
        'In ~/.bashrc': 'eval "$(npm run -s ops --prefix <this folder> -- completion bash)"',
        'In ~/.zshrc, after compinit': 'eval "$(npm run -s ops --prefix <this folder> -- completion zsh)"',
        'In ~/.config/fish/config.fish': 'npm run -s ops --prefix <this folder> -- completion fish | source',
        Then: `${name} deliveries list --status <Tab>`,
      },
    }),
  )
  .action(async (shell, _options, self) => {
    print(functionFor(shell));
    (await completionsOf(self.parent)).setup(name, name, shell);
  });

/** Answers the script: prints what can follow these words. */
export const complete = command('complete')
  .description('Prints what can follow these words; the script of completion calls it.')
  .argument('[words...]')
  .allowUnknownOption()
  .action(async (words, _options, self) => (await completionsOf(self.parent)).parse([...words]));

/** The shell starts Node itself: npm takes a second, and changes the folder. */
const functionFor = (shell: Shell): string => {
  const parts = isPackage
    ? [process.execPath, join(root, 'lib/js/ops.js')]
    : [join(root, 'node_modules/.bin/node'), join(root, 'infra/ops/ops.ts')];
  const program = parts.map(quote).join(' ');
  return shell === 'fish' ? `function ${name}; ${program} $argv; end` : `${name}() { ${program} "$@"; }`;
};

/** The library names a program by its own name, so that it gets a copy with the name of the function. */
const completionsOf = async (program: CommandUnknownOpts | null) => {
  const { default: describe } = await import('@bomb.sh/tab/commander');
  const named = new Command(name).helpCommand(false);
  for (const subcommand of program?.commands ?? [])
    if (subcommand.name() !== complete.name()) named.addCommand(copyOf(subcommand));
  // The library has the types of commander itself.
  const completions = describe(named as never);
  completions.commands.delete(complete.name());
  return completions;
};

/** Copies the commands for completion. A suggestion is one line, so the summary replaces the description. */
const copyOf = (original: CommandUnknownOpts): CommandUnknownOpts => {
  const copy: CommandUnknownOpts = new Command(original.name()).helpCommand(false);
  copy.description(original.summary() || original.description());
  for (const option of original.options) copy.addOption(option);
  for (const argument of original.registeredArguments) copy.addArgument(argument);
  for (const subcommand of original.commands) copy.addCommand(copyOf(subcommand));
  return copy;
};
