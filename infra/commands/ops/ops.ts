/** `npm run ops -- <command>`: tasks of a stage's operator, with AWS credentials from the usual places. */
import { doctor } from './doctor/doctor.ts';
import { importGhost } from './import-ghost.ts';
import { migrate } from './migrate.ts';
import { redrive } from './redrive.ts';
import { restore } from './restore/restore.ts';
import { seed } from './seed.ts';

interface OpsCommand {
  /** One line for the list. */
  readonly summary: string;
  /** Runs it with the remaining arguments, as `runCommand` does. */
  run(args: readonly string[]): Promise<void>;
}

const commands: Readonly<Record<string, OpsCommand>> = {
  doctor,
  'import-ghost': importGhost,
  migrate,
  redrive,
  restore,
  seed,
};

const help = `npm run ops -- <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`)
  .join('\n')}

npm run ops -- <command> --help prints the options of a command.`;

const [name, ...args] = process.argv.slice(2);
if (name === undefined || name === '--help' || name === '-h') console.log(help);
else if (Object.hasOwn(commands, name)) await commands[name]?.run(args);
else {
  console.error(`Unknown command '${name}'.\n\n${help}`);
  process.exitCode = 1;
}
