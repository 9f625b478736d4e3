/** What the commands of package.json have in common: they read their arguments, tell what they do, and say in one line what is wrong. */
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';

interface Option extends ParseArgsOptionDescriptor {
  /** What it does, for the help. */
  readonly tells: string;
  /** What stands behind it, such as `<file>`. */
  readonly value?: string;
}

type Options = Readonly<Record<string, Option>>;

/** A command as its help tells it. */
interface CommandLine<Known extends Options> {
  /** As it is typed, such as `npm run -s id -- <kind>`. */
  readonly usage: string;
  /** What it does, in a sentence. */
  readonly does: string;
  /** What it takes beside options, in order: `<name>` where it is needed, `[name]` where it is not. */
  readonly takes?: Readonly<Record<string, string>>;
  readonly options?: Known;
  /** Variables of the environment that it reads. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What else there is to say. */
  readonly notes?: string;
}

type Arguments<Known extends Options> = ReturnType<
  typeof parseArgs<{ options: { [Name in keyof Known]: Known[Name] }; allowPositionals: true }>
>;

/**
 * Reads the arguments. Ends the process where they ask for help (0), and where there is one that the command does not know or one is
 * missing (1, with a line that says which).
 */
export const readArguments = <const Known extends Options>(
  line: CommandLine<Known>,
): Pick<Arguments<Known>, 'values' | 'positionals'> => {
  const { takes = {}, options = {} } = line;
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpOf(line));
    process.exit(0);
  }
  const parsed = attempt(() => parseArgs({ args, options, allowPositionals: true }));
  const [extra] = parsed.positionals.slice(Object.keys(takes).length);
  if (extra !== undefined) refuse(`Unexpected argument '${extra}'`);
  const missing = Object.keys(takes)[parsed.positionals.length];
  if (missing?.startsWith('<')) refuse(`${missing} is missing`);
  return parsed as Arguments<Known>;
};

/** Runs a command with its arguments; what it throws is told in one line, and the process ends with 1. */
export const runCommand = async <const Known extends Options>(
  line: CommandLine<Known>,
  run: (args: Pick<Arguments<Known>, 'values' | 'positionals'>) => Promise<void>,
): Promise<void> => {
  const args = readArguments(line);
  try {
    await run(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
};

const attempt = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    // What Node adds behind the first sentence is about arguments that begin with a dash, which no command takes.
    return refuse(
      error instanceof Error ? (error.message.split(/\.\s/, 1)[0] ?? '').replace(/\.$/, '') : String(error),
    );
  }
};

const refuse = (what: string): never => {
  console.error(`${what}; --help tells what this command takes.`);
  process.exit(1);
};

const helpOf = ({ usage, does, takes = {}, options = {}, environment = {}, notes }: CommandLine<Options>): string => {
  const flags = Object.entries(options).map(
    ([name, { value, tells, default: preset }]) =>
      [
        value === undefined ? `--${name}` : `--${name} ${value}`,
        typeof preset === 'string' ? `${tells} (${preset})` : tells,
      ] as const,
  );
  const lists = [[...Object.entries(takes), ...flags, ['--help', 'this text'] as const], Object.entries(environment)];
  const width = Math.max(...lists.flat().map(([name]) => name.length)) + 3;
  const told = lists.map((list) => list.map(([name, tells]) => `  ${name.padEnd(width)}${tells}`).join('\n'));
  return [usage, does, ...told, notes].filter(Boolean).join('\n\n');
};
