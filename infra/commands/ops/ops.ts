/** `npm run ops -- <command>`: what whoever runs a deployed stage does now and then, with AWS credentials from the usual places. */
import { OpsError } from './ops-error.ts';
import { redrive } from './redrive.ts';
import { seed } from './seed.ts';

interface Command {
  /** One line for the list. */
  readonly summary: string;
  /** Gets the arguments behind its name. @throws OpsError for what a person can mend */
  run(args: readonly string[]): Promise<void>;
}

const commands: Readonly<Record<string, Command>> = {
  redrive: { summary: 'puts dead letters back into the queues they came from', run: redrive },
  seed: { summary: 'gives a fresh stage its roles and its first Owner, and prints the Owner’s key', run: seed },
};

const help = `npm run ops -- <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

npm run ops -- <command> --help tells the options of a command.`;

const [name, ...args] = process.argv.slice(2);
const command = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
if (name === undefined || name === '--help' || name === '-h') console.log(help);
else if (command === undefined) {
  console.error(`there is no command ${name}\n\n${help}`);
  process.exitCode = 1;
} else
  try {
    await command.run(args);
  } catch (error) {
    console.error(error instanceof OpsError ? error.message : error);
    process.exitCode = 1;
  }
