/** The home of a local stack (`.masthead`, or `MASTHEAD_HOME`): its files, who may read them, and who uses it. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { isPackage, root } from '../cdk/root.ts';
import { forget, remember, remembered } from '../emulator/parts/pid-file.ts';

const stackSchema = v.object({
  baseUrl: v.string(),
  adminKey: v.string(),
  integrationKey: v.string(),
  otherIntegrationKey: v.string(),
  staffKeys: v.record(v.string(), v.string()),
  ownerEmail: v.string(),
  /** An origin whose pages may call the API; null if the stage allows none. */
  allowedOrigin: v.nullable(v.string()),
  /** URL of the mailbox, with the secret of this start: the page at `/`, the mails as JSON at `/store`. */
  mailbox: v.string(),
  /** Origin of the demo's receiver, which accepts webhooks on any path. */
  receiver: v.string(),
  /** URL of the receiver's page, with the secret of this start. */
  receiverPage: v.string(),
  /** URL of the requests that the receiver got, with the secret of this start. */
  received: v.string(),
  /** URL of the proxy, with the secret of this start; `/counts` and `/faults` show the calls that passed it. */
  proxy: v.string(),
  /** Endpoint and credentials that reach the table, the queues and the mailbox without a policy. */
  aws: v.object({
    endpoint: v.string(),
    region: v.string(),
    accessKeyId: v.string(),
    secretAccessKey: v.string(),
    sessionToken: v.string(),
  }),
  table: v.string(),
  queues: v.record(v.string(), v.string()),
  pid: v.number(),
});

export type StackFile = v.InferOutput<typeof stackSchema>;

export interface Home {
  readonly folder: string;
  readonly data: string;
  readonly keysFile: string;
  readonly logFile: string;
}

export class HomeError extends Error {
  override readonly name = 'HomeError';
}

/** Returns the home's path. Default: `MASTHEAD_HOME`, or `.masthead` in the repository or where the package is used. */
export const findHome = (given = process.env.MASTHEAD_HOME): Home => {
  const folder =
    given === undefined || given === '' ? join(isPackage ? process.cwd() : root, '.masthead') : resolve(given);
  return {
    folder,
    data: join(folder, 'data'),
    keysFile: join(folder, 'keys.json'),
    logFile: join(folder, 'functions.log'),
  };
};

/**
 * Creates the folder if it is absent, claims it for this process, and removes the `stack.json` of an earlier one.
 * @throws HomeError while another stack runs in it, or if it cannot be written or be private
 */
export const takeHome = (home: Home): void => {
  const pidFile = join(home.folder, 'pid');
  const other = remembered(pidFile, join('infra', 'local'));
  if (other !== undefined)
    throw new HomeError(
      `A stack already runs in ${home.folder} (process ${other}). Stop it, or set MASTHEAD_HOME to another folder.`,
    );
  try {
    makePrivate(home);
    rmSync(join(home.folder, 'stack.json'), { force: true });
    remember(pidFile, process.pid);
  } catch (error) {
    if (error instanceof HomeError || !(error instanceof Error)) throw error;
    throw new HomeError(`${home.folder} cannot be used: ${error.message}. Set MASTHEAD_HOME to a folder of your own.`);
  }
};

const ours = /^(data|pid|functions\.log|(keys|ports|stack|(owner|restore)-.+)\.json(\.new)?)$/;

/** Creates the folder, if absent, for its owner alone (0700, files 0600). @throws HomeError if others may write */
const makePrivate = ({ folder }: Home): void => {
  process.umask(0o077);
  mkdirSync(folder, { recursive: true });
  const isShared = (statSync(folder).mode & 0o1000) !== 0;
  if (isShared) throw new HomeError(`${folder} is shared with other users. Set MASTHEAD_HOME to a folder of your own.`);
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder).filter((entry) => ours.test(entry))) restrict(join(folder, name));
};

const restrict = (path: string): void => {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o700 : 0o600);
  if (isFolder) for (const name of readdirSync(path)) restrict(join(path, name));
};

/** Releases the folder and removes `stack.json`. */
export const leaveHome = (home: Home): void => {
  rmSync(join(home.folder, 'stack.json'), { force: true });
  forget(join(home.folder, 'pid'));
};

/** Deletes data, keys and log of earlier runs. */
export const clearHome = (home: Home): void => {
  for (const path of [home.data, home.keysFile, home.logFile]) rmSync(path, { recursive: true, force: true });
};

/** Writes a value as JSON into the home atomically. */
export const writePrivate = (home: Home, file: string, value: unknown): void => {
  makePrivate(home);
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${file}.new`, file);
};

/** Writes `stack.json`. */
export const writeStackFile = (home: Home, stack: StackFile): void =>
  writePrivate(home, join(home.folder, 'stack.json'), stack);

/** Returns the running stack's `stack.json`. @throws Error if none runs */
export const readStackFile = (home: Home): StackFile => {
  const file = join(home.folder, 'stack.json');
  if (!existsSync(file)) throw new Error(`No stack runs in ${home.folder}. Start one with npm start.`);
  return v.parse(stackSchema, JSON.parse(readFileSync(file, 'utf8')));
};
