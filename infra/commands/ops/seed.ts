/**
 * `npm run ops -- seed`: first-run seeding. Makes the Owner's key here, so that it cannot be lost between the table and the reader,
 * keeps it in a file, and lets the function `setup/seed` put it into the table with the roles. Doing it again changes nothing,
 * here or on another machine.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { emailAddress } from '../../../shared/foundation/email.ts';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { findHome } from '../home.ts';
import { OpsError } from './ops-error.ts';
import { stageOf } from './stage-of.ts';

const help = `npm run ops -- seed --stage <stage> --owner <address> --name <name> [--another-key]

  --stage         a stage of infra/cdk/stages.ts that is deployed
  --owner         e-mail address of the first Owner
  --name          their name
  --another-key   makes one more key for the Owner whom the stage has already, where the first one is lost; that one keeps working
  --help          this text

Makes the roles and the Owner, and prints the Owner's key: once, it cannot be read from the stage again. It is kept in
.masthead/owner-<stage>.json (MASTHEAD_HOME moves the folder), so that a second run, or one after a failure, gives the same key and changes nothing.
Where the stage has an Owner already and that file is not here, nothing is changed either.`;

const ownerSchema = v.object({
  email: v.string(),
  name: v.string(),
  key: v.object({ id: v.string(), secret: v.string() }),
  /** Whether the stage has it; then the key has been printed. */
  isSeeded: v.boolean(),
});
type Owner = v.InferOutput<typeof ownerSchema>;

/** @throws OpsError for wrong options, an Owner who has a key already, and whatever the function or Lambda says */
export const seed = async (args: readonly string[]): Promise<void> => {
  const options = readOptions(args);
  if (options.help) return console.log(help);
  const config = stageOf(options.stage, { argument: '--stage', orLocal: false });
  const { owner: email, name } = options;
  if (email === undefined || name === undefined) throw new OpsError(`--owner and --name are needed\n\n${help}`);
  const [wrong] = v.safeParse(emailAddress(), email).issues ?? [];
  if (wrong !== undefined) throw new OpsError(`--owner ${wrong.message}`);
  const file = join(findHome().folder, `owner-${config.name}.json`);
  const owner = keepOwner(file, email, name);
  const before = await invokeSeed(config, owner, true);
  if (before !== undefined) {
    const mayGetAnother = options['another-key'] === true && isSame(before, email);
    if (!mayGetAnother) {
      // Its key is nobody's.
      if (!owner.isSeeded) rmSync(file);
      throw new OpsError(refusal(config, before, email));
    }
    await invokeSeed(config, owner, false);
  } else if (owner.isSeeded) {
    console.log(
      `${config.name} is seeded already; ${owner.email} has the key that stands in ${file}. Nothing was changed.`,
    );
    return;
  }
  write(file, { ...owner, isSeeded: true });
  console.log(
    before === undefined
      ? `${config.name} has its roles, and ${owner.name} <${owner.email}> is its Owner. The key, printed this once:\n`
      : `${before}, the Owner of ${config.name}, has one more key; the others keep working. The new one, printed this once:\n`,
  );
  console.log(`  ${owner.key.id}:${owner.key.secret}\n`);
  console.log(`It also stands in ${file}: put it where you keep secrets, then delete the file.`);
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const refusal = (config: StageConfig, before: string, email: string): string => {
  const wayOut = isSame(before, email)
    ? 'Use that key; where it is lost, --another-key makes one more.'
    : `Invite ${email} with that key (POST /admin/invites/); where it is lost, --owner ${before} --another-key makes one more.`;
  return `${config.name} has an Owner already, ${before}, with a key that was made elsewhere. Nothing was changed. ${wayOut}`;
};

const readOptions = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        stage: { type: 'string' },
        owner: { type: 'string' },
        name: { type: 'string' },
        'another-key': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new OpsError(`${error instanceof Error ? error.message : error}\n\n${help}`);
  }
};

/** The Owner in the file; where there is none, a new one, whose key is written before anything is done with it. */
const keepOwner = (file: string, email: string, name: string): Owner => {
  if (!existsSync(file)) {
    const key = { id: randomBytes(12).toString('hex'), secret: randomBytes(32).toString('hex') };
    const owner = { email, name, key, isSeeded: false };
    write(file, owner);
    return owner;
  }
  const owner = v.parse(ownerSchema, JSON.parse(readFileSync(file, 'utf8')));
  if (isSame(owner.email, email)) return owner;
  if (owner.isSeeded)
    throw new OpsError(
      `${file} says that ${owner.email} is the Owner already: invite others with the Owner's key, or move the file away`,
    );
  return { ...owner, email, name };
};

const write = (file: string, owner: Owner): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(owner, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

const failure = v.object({ errorMessage: v.string() });
const answerSchema = v.object({ owner: v.optional(v.string()) });

/** Gives the address of the Owner because of whom nothing was put, which `onlyFirst` asks for. */
const invokeSeed = async (
  config: StageConfig,
  { email, name, key }: Owner,
  onlyFirst: boolean,
): Promise<string | undefined> => {
  const FunctionName = physicalName(config, 'setup/seed');
  const client = new LambdaClient({ ...(config.region !== null && { region: config.region }) });
  const Payload = JSON.stringify({ staff: [{ email, name, role: 'Owner', key }], onlyFirst });
  try {
    const { FunctionError, Payload: said } = await client.send(new InvokeCommand({ FunctionName, Payload }));
    const answer: unknown = JSON.parse(said?.transformToString() ?? '{}');
    if (FunctionError === undefined) return v.parse(answerSchema, answer).owner;
    const reason = v.safeParse(failure, answer);
    throw new OpsError(`${FunctionName} failed: ${reason.success ? reason.output.errorMessage : FunctionError}`);
  } catch (error) {
    if (error instanceof OpsError || !(error instanceof Error)) throw error;
    const hint =
      error.name === 'ResourceNotFoundException'
        ? ` Is the stage deployed? npm run cdk -- deploy '${config.name}/*'`
        : '';
    throw new OpsError(`${FunctionName} could not be invoked: ${error.name}: ${error.message}${hint}`);
  }
};
