/** The command lines of the npm scripts: one parser (ADR 14), one form of help, errors in one line, and exit codes. */
import { styleText } from 'node:util';
import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { fixOf } from './credentials.ts';
import { exitCodeOf, exitCodes, UsageError } from './exit-codes.ts';
import { printError } from './print.ts';

const help = new Help();

/** Returns an empty command. `name` is what a user types, such as `npm run -s id --`, or the name of a subcommand. */
export const command = (name: string) => {
  const made = new Command(name)
    .helpOption('-h, --help', 'Print this text.')
    .helpCommand(false)
    .allowExcessArguments(false)
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
      subcommandTerm: (subcommand) => subcommand.name(),
      optionDescription: (option) => help.optionDescription(option).replace(/ ?\(default: false\)$/, ''),
      // A command's own options come before shared ones.
      groupItems: (_all, visible, groupOf) => {
        const groups = [...Map.groupBy(visible, groupOf)];
        return new Map([
          ...groups.filter(([title]) => title === 'Options:'),
          ...groups.filter(([title]) => title !== 'Options:'),
        ]);
      },
    });
  return made.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === 'commander.help' ? error : new UsageError(reworded(error, made));
  });
};

interface Sections {
  /** By heading: words that the command prints, each with its meaning. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly examples?: Readonly<Record<string, string>>;
}

/** Returns the sections that follow the options in a help, for `addHelpText('after', …)`. */
export const sections = ({ words = {}, environment = {}, examples = {} }: Sections): string => {
  const lines = Object.entries(examples).map(([does, line]) => `  # ${does}\n  ${line}`);
  return [
    ...Object.entries({ ...words, Environment: environment }).flatMap(explained),
    ...(lines.length > 0 ? [`\nExamples:\n${lines.join('\n\n')}`] : []),
  ].join('\n');
};

const explained = ([heading, texts]: readonly [string, Readonly<Record<string, string>>]): string[] => {
  const width = Math.max(...Object.keys(texts).map((name) => name.length)) + 2;
  const lines = Object.entries(texts).map(([name, text]) => `  ${name.padEnd(width)}${text}`);
  return lines.length > 0 ? [`\n${heading}:\n${lines.join('\n')}`] : [];
};

interface RunOptions {
  /** Whether the command ends when its reader closes the pipe. Otherwise it completes its other work. */
  readonly endsWithReader?: boolean;
}

/** Runs a command line. Prints an error in one line to standard error, and sets the exit code. */
export const run = async (
  program: CommandUnknownOpts,
  args: readonly string[] = process.argv.slice(2),
  { endsWithReader = false }: RunOptions = {},
) => {
  // A reader that closes the pipe, such as `head`, has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      printError(`The output cannot be written: ${error.message}`);
      process.exit(exitCodes.failed);
    }
    // A command whose work is incomplete has set an exit code.
    if (endsWithReader) process.exit(process.exitCode ?? exitCodes.done);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // The help was printed. It is an error if a group's name is not followed by a command.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    else {
      const message = error instanceof Error ? error.message : String(error);
      const fix = fixOf(error);
      printError(
        error instanceof UsageError ? usageText(message) : [message, ...(fix === undefined ? [] : [fix])].join('\n'),
      );
      process.exitCode = exitCodeOf(error);
    }
  }
};

const usageText = (message: string): string => `${message.replace(/(?<![?.])$/, '.')} Run with --help for usage.`;

/** Rewrites the parser's messages in the style of all other errors: the option, its value, and what it must be. */
const rewordings: readonly (readonly [RegExp, string])[] = [
  [/^error: /, ''],
  [/^option '.*' value '(.*)' from env '(.*)' is invalid\. Allowed choices are /s, "$2 is '$1'; it must be one of "],
  [
    /^option '[^']*?(--[\w-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are /s,
    "$1 is '$2'; it must be one of ",
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are /s,
    "<$2> is '$1'; it must be one of ",
  ],
  [/^missing required argument '(.*)'$/, '<$1> is missing'],
  [/^required option '[^']*?(--[\w-]+)[^']*' not specified$/, '$1 is missing'],
  [/^option '[^']*?(--[\w-]+)[^']*' argument missing$/, '$1 needs a value'],
  [/^option '[^']*?(--[\w-]+)[^']*' cannot be used with option '[^']*?(--[\w-]+)[^']*'$/, '$1 cannot be used with $2'],
  [/\n\((Did you mean .*\?)\)$/, '. $1'],
];

const reworded = ({ code, message }: CommanderError, made: CommandUnknownOpts): string => {
  if (code === 'commander.excessArguments')
    return `Unexpected argument '${made.args[made.registeredArguments.length]}'`;
  if (code === 'commander.unknownCommand' && !message.includes('Did you mean'))
    return `Unknown command '${made.args[0]}'. It must be one of ${made.commands.map((one) => one.name()).join(', ')}`;
  const text = rewordings.reduce((sentence, [pattern, words]) => sentence.replace(pattern, words), message);
  const [, missing] = /^<?([^ >]+)>? is missing$/.exec(text) ?? [];
  const detail = missing === undefined ? undefined : descriptionOf(made, missing);
  return `${text.replace(/^[a-z]/, (letter) => letter.toUpperCase())}${detail === undefined ? '' : `: ${detail}`}`;
};

const descriptionOf = (made: CommandUnknownOpts, name: string): string | undefined => {
  const found =
    made.options.find(({ long }) => long === name) ?? made.registeredArguments.find((one) => one.name() === name);
  return found?.argChoices?.join(', ') ?? found?.description;
};

/** Returns the parser of an option that must be a number, at least `least`. It throws UsageError. */
export const numberFrom =
  (name: string, least: number) =>
  (text: string): number => {
    const number = Number(text);
    if (text.trim() !== '' && number >= least) return number;
    throw new UsageError(`${name} is '${text}'; it must be a number, at least ${least}.`);
  };

/** Returns the parser of an option that must be a whole number, at least `least`. It throws UsageError. */
export const wholeNumber =
  (name: string, least = 1) =>
  (text: string): number => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isInteger(number) && number >= least) return number;
    throw new UsageError(`${name} is '${text}'; it must be a whole number, at least ${least}.`);
  };
