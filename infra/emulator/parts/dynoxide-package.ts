/** The npm package with dynoxide's program for this platform. The first start installs it if it is missing. */
import { exec } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { PartMissingError } from './part.ts';

const root = join(import.meta.dirname, '../../..');

/** The package of one platform: npm's lock file has only packages of its registry. All platforms share a version. */
const manifestSchema = v.object({ optionalDependencies: v.object({ '@dynoxide/linux-x64': v.string() }) });

interface Surroundings {
  readonly platform?: string;
  readonly arch?: string;
  readonly folder?: string;
  /** Runs a command in the project; rejects with its `stderr` if it fails. */
  readonly install?: (command: string) => Promise<unknown>;
  readonly say?: (line: string) => void;
}

/**
 * Returns the path of the program, and installs its package before if it is missing.
 * @throws PartMissingError with one sentence about what to do if it cannot be installed
 */
export const findDynoxide = async ({
  platform = process.platform,
  arch = process.arch,
  folder = root,
  // A shell finds npm on every platform: on Windows it is a script. Its retries would take a minute without a network.
  install = (command) =>
    promisify(exec)(command, { cwd: folder, env: { ...process.env, npm_config_fetch_retries: '0' } }),
  // Not to standard output, which contains only JSON lines with `--json`.
  say = console.error,
}: Surroundings = {}): Promise<string> => {
  const name = `@dynoxide/${platform}-${arch}`;
  const program = join(folder, 'node_modules', name, platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  if (isProgram(program)) return program;
  const manifest = v.parse(manifestSchema, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const wanted = `${name}@${manifest.optionalDependencies['@dynoxide/linux-x64']}`;
  const command = `npm install --no-save ${wanted}`;
  say(`Installing ${wanted}, the DynamoDB part for this platform.`);
  const failure = await install(command).then(
    () => 'npm has installed no program',
    (error) => reasonOf(error),
  );
  if (isProgram(program)) return program;
  throw new PartMissingError(
    `The DynamoDB part for this platform is not installed (${failure}): ` +
      `run \`${command}\` when npm can reach its registry, ` +
      'or set DYNAMODB_ENDPOINT to another DynamoDB, such as http://127.0.0.1:8000.',
  );
};

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Returns the first line of npm's error that reads like a sentence. */
const reasonOf = (error: unknown): string => {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  const lines = text.split('\n').map((line) => line.replace(/^npm error /, '').trim());
  return lines.find((line) => line !== '' && !/^(code|syscall|errno) /.test(line)) ?? 'npm failed';
};
