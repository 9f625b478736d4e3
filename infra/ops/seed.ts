/**
 * `npm run ops -- seed`: first-run seeding. Makes the Owner's key here, so that it cannot be lost between the table and the reader,
 * keeps it in a file, and lets the function `setup/seed` put it into the table with the roles. Doing it again changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { emailAddress } from '../../shared/email.ts';
import { findHome } from '../local/home.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { OpsError } from './ops-error.ts';
import { stageOf } from './stage-of.ts';

const help = `npm run ops -- seed --stage <stage> --owner <address> --name <name>

  --stage   a stage of infra/stages.ts that is deployed
  --owner   e-mail address of the first Owner
  --name    their name
  --help    this text

Makes the roles and the Owner, and prints the Owner's key: once, it cannot be read from the stage again. It is kept in
.masthead/owner-<stage>.json (MASTHEAD_HOME moves the folder), so that a second run, or one after a failure, gives the same key and changes nothing.`;

const ownerSchema = v.object({
  email: v.string(),
  name: v.string(),
  key: v.object({ id: v.string(), secret: v.string() }),
  /** Whether the stage has it; then the key has been printed. */
  isSeeded: v.boolean(),
});
type Owner = v.InferOutput<typeof ownerSchema>;

/** @throws OpsError for wrong options, another Owner than the one who was seeded, and whatever the function or Lambda says */
export async function seed(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return console.log(help);
  const config = stageOf(options.stage);
  const { owner: email, name } = options;
  if (email === undefined || name === undefined) throw new OpsError(`--owner and --name are needed\n\n${help}`);
  const [wrong] = v.safeParse(emailAddress(), email).issues ?? [];
  if (wrong !== undefined) throw new OpsError(`--owner ${wrong.message}`);
  const file = join(findHome().folder, `owner-${config.name}.json`);
  const owner = keepOwner(file, email, name);
  await invokeSeed(config, owner);
  if (owner.isSeeded) {
    console.log(
      `${config.name} is seeded already; ${owner.email} has the key that stands in ${file}. Nothing was changed.`,
    );
    return;
  }
  write(file, { ...owner, isSeeded: true });
  console.log(
    `${config.name} has its roles, and ${owner.name} <${owner.email}> is its Owner. The key, printed this once:\n`,
  );
  console.log(`  ${owner.key.id}:${owner.key.secret}\n`);
  console.log(`It also stands in ${file}: put it where you keep secrets, then delete the file.`);
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        stage: { type: 'string' },
        owner: { type: 'string' },
        name: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new OpsError(`${error instanceof Error ? error.message : error}\n\n${help}`);
  }
}

/** The Owner in the file; where there is none, a new one, whose key is written before anything is done with it. */
function keepOwner(file: string, email: string, name: string): Owner {
  if (!existsSync(file)) {
    const key = { id: randomBytes(12).toString('hex'), secret: randomBytes(32).toString('hex') };
    const owner = { email, name, key, isSeeded: false };
    write(file, owner);
    return owner;
  }
  const owner = v.parse(ownerSchema, JSON.parse(readFileSync(file, 'utf8')));
  if (owner.email.toLowerCase() === email.toLowerCase()) return owner;
  if (owner.isSeeded)
    throw new OpsError(
      `${file} says that ${owner.email} is the Owner already: invite others with the Owner's key, or move the file away`,
    );
  return { ...owner, email, name };
}

function write(file: string, owner: Owner): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(owner, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const failure = v.object({ errorMessage: v.string() });

async function invokeSeed(config: StageConfig, { email, name, key }: Owner): Promise<void> {
  const FunctionName = physicalName(config, 'setup/seed');
  const client = new LambdaClient({ ...(config.region !== null && { region: config.region }) });
  const Payload = JSON.stringify({ staff: [{ email, name, role: 'Owner', key }] });
  try {
    const answer = await client.send(new InvokeCommand({ FunctionName, Payload }));
    if (answer.FunctionError === undefined) return;
    const said = v.safeParse(failure, JSON.parse(answer.Payload?.transformToString() ?? '{}'));
    throw new OpsError(`${FunctionName} failed: ${said.success ? said.output.errorMessage : answer.FunctionError}`);
  } catch (error) {
    if (error instanceof OpsError || !(error instanceof Error)) throw error;
    const hint =
      error.name === 'ResourceNotFoundException'
        ? ` Is the stage deployed? npm run cdk -- deploy '${config.name}/*'`
        : '';
    throw new OpsError(`${FunctionName} could not be invoked: ${error.name}: ${error.message}${hint}`);
  }
}
