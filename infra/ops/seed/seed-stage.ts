/**
 * Creates the roles and the first Owner of a stage. Stores the Owner's key on this machine before `setup/seed` writes
 * it to the table, so that no failure can lose it. A second run changes nothing, even on another machine.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { emailAddress } from '../../../shared/foundation/email.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { print } from '../../command-line/print.ts';
import { findHome, writePrivate } from '../../local/home.ts';
import { keyText, makeKey } from '../../local/keys.ts';
import { invokeCommand } from '../invoke-command.ts';
import { configOf } from '../stage-of.ts';

const ownerSchema = v.object({
  email: v.string(),
  name: v.string(),
  key: v.object({ id: v.string(), secret: v.string() }),
  /** Whether the stage has the key; then it has been printed. */
  isSeeded: v.boolean(),
});
type Owner = v.InferOutput<typeof ownerSchema>;

interface Options {
  readonly stage: string;
  readonly owner: string;
  readonly name: string;
  readonly anotherKey: boolean;
}

/** @throws Error for invalid options, if the stage has another Owner, or if the function fails */
export const seedStage = async ({ stage, owner: email, name, anotherKey }: Options): Promise<void> => {
  const config = await configOf(stage);
  const [invalid] = v.safeParse(emailAddress(), email).issues ?? [];
  if (invalid !== undefined) throw new UsageError(`--owner ${invalid.message}`);
  // By the name that was given, by which later commands look for it.
  const file = join(findHome().folder, `owner-${stage}.json`);
  const owner = keepOwner(file, email, name);
  const before = await invokeSeed(config, owner, true);
  if (before !== undefined) {
    if (!anotherKey || !isSame(before, email)) {
      // The stage does not have its key.
      if (!owner.isSeeded) rmSync(file);
      throw new Error(refusal(config, before, email));
    }
    await invokeSeed(config, owner, false);
  } else if (owner.isSeeded) {
    print(`${config.name} is already seeded. The key of ${owner.email} is in ${file}. Nothing was changed.`);
    return;
  }
  write(file, { ...owner, isSeeded: true });
  print(
    before === undefined
      ? `${config.name} has its roles, and ${owner.name} <${owner.email}> is its Owner. ` +
          `The key, which is not shown again:\n`
      : `${before}, the Owner of ${config.name}, has one more key; existing keys remain valid. ` +
          `The new key, which is not shown again:\n`,
  );
  print(`  ${keyText(owner)}\n`);
  print(`It is also in ${file}. Store it with your secrets, then delete the file.`);
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const refusal = (config: StageConfig, before: string, email: string): string => {
  const correction = isSame(before, email)
    ? 'Use that key. If it is lost, --another-key creates one more.'
    : `Invite ${email} with that key (POST /admin/invites/). If it is lost, --owner ${before} --another-key creates ` +
      'one more.';
  return (
    `${config.name} already has the Owner ${before}, with a key that was created elsewhere. Nothing was changed. ` +
    `${correction}`
  );
};

const keepOwner = (file: string, email: string, name: string): Owner => {
  if (!existsSync(file)) {
    const owner = { email, name, key: makeKey(), isSeeded: false };
    write(file, owner);
    return owner;
  }
  const owner = v.parse(ownerSchema, JSON.parse(readFileSync(file, 'utf8')));
  if (isSame(owner.email, email)) return owner;
  if (owner.isSeeded)
    throw new Error(`${file} has the Owner ${owner.email}. Invite others with the Owner's key, or move the file away.`);
  return { ...owner, email, name };
};

const write = (file: string, owner: Owner): void => writePrivate(findHome(), file, owner);

const answerSchema = v.object({ owner: v.optional(v.string()) });

/** Returns the address of an existing Owner if there is one, in which case `onlyFirst` changes nothing. */
const invokeSeed = async (
  config: StageConfig,
  { email, name, key }: Owner,
  onlyFirst: boolean,
): Promise<string | undefined> => {
  const payload = { staff: [{ email, name, role: 'Owner', key }], onlyFirst };
  return v.parse(answerSchema, await invokeCommand(config, 'setup/seed', payload)).owner;
};
