/** The command line of an npm script: its help, its arguments, and errors in one line. */
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';

interface Option extends ParseArgsOptionDescriptor {
  readonly description: string;
  /** Name of its value, such as `<file>`. */
  readonly value?: string;
}

type Options = Readonly<Record<string, Option>>;

interface CommandLine<Known extends Options> {
  /** As a user types it, such as `npm run -s id -- <kind>`. */
  readonly usage: string;
  readonly summary: string;
  /** Description of each positional argument, in order: `<name>` if it is required, else `[name]`. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Known;
  /** Environment variables that it reads. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Printed after the lists. */
  readonly notes?: string;
}

type Parsed<Known extends Options> = Pick<
  ReturnType<typeof parseArgs<{ options: { [Name in keyof Known]: Known[Name] }; allowPositionals: true }>>,
  'values' | 'positionals'
>;

/** Runs a command. Prints the help on `--help`; prints an error in one line, and sets the exit code 1. */
export const runCommand = async <const Known extends Options>(
  line: CommandLine<Known>,
  run: (args: Parsed<Known>) => void | Promise<void>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> => {
  try {
    if (args.includes('--help') || args.includes('-h')) console.log(helpOf(line));
    else await run(parse(line, args));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
};

/** @throws Error for unknown options, missing values, and missing or superfluous arguments */
const parse = <Known extends Options>(line: CommandLine<Known>, args: readonly string[]): Parsed<Known> => {
  const known = Object.entries(line.arguments ?? {});
  const parsed = parseKnown(line.options ?? {}, args);
  const extra = parsed.positionals[known.length];
  if (extra !== undefined) throw usageError(`Unexpected argument '${extra}'`);
  const [missing, description] = known[parsed.positionals.length] ?? [];
  if (missing?.startsWith('<')) throw usageError(`${missing} is missing: ${description}`);
  return parsed as Parsed<Known>;
};

const parseKnown = (options: Options, args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Node's further sentences are about arguments that begin with a dash, which no command has.
    throw usageError(String(error instanceof Error ? error.message : error).replace(/\.(\s.*)?$/s, ''));
  }
};

const usageError = (message: string): Error => new Error(`${message.replace(/\.$/, '')}. Run with --help for usage.`);

const helpOf = (line: CommandLine<Options>): string => {
  const { usage, summary, options = {}, environment = {}, notes } = line;
  const flags = Object.entries(options).map(([name, { value, description, default: preset }]) => {
    const text = typeof preset === 'string' ? `${description} (default: ${preset})` : description;
    return [`--${name}${value === undefined ? '' : ` ${value}`}`, text] as const;
  });
  const help = ['--help', 'Print this text.'] as const;
  const lists = [[...Object.entries(line.arguments ?? {}), ...flags, help], Object.entries(environment)];
  const width = Math.max(...lists.flat().map(([name]) => name.length)) + 3;
  const printed = lists.map((list) =>
    list.map(([name, description]) => `  ${name.padEnd(width)}${description}`).join('\n'),
  );
  return [usage, summary, ...printed, notes].filter(Boolean).join('\n\n');
};
