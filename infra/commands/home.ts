/** The folder of a local stack (`.masthead`, moved by `MASTHEAD_HOME`): what lies where, and who may work in it. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { forget, remember, remembered } from '../emulator/parts/pid-file.ts';

const stackSchema = v.object({
  /** What the contract's paths are below. */
  baseUrl: v.string(),
  /** Key of the Owner. */
  adminKey: v.string(),
  integrationKey: v.string(),
  otherIntegrationKey: v.string(),
  /** Keys of staff, by role. */
  staffKeys: v.record(v.string(), v.string()),
  ownerEmail: v.string(),
  /** An origin whose pages may call the API, null where the stage allows none. */
  allowedOrigin: v.nullable(v.string()),
  /** Origin of the mailbox page; mails as JSON at `/store`. */
  mailbox: v.string(),
  /** Origin of the demo's receiver. */
  receiver: v.string(),
  /** Origins of the parts, past the edge. */
  dynamodb: v.string(),
  sqs: v.string(),
  /** Origin of the edge: `/counts` and `/faults` there tell what went through it. */
  edge: v.string(),
  table: v.string(),
  /** URLs of the queues, by name without the stage. */
  queues: v.record(v.string(), v.string()),
  pid: v.number(),
});

/** What a running stack tells others in `stack.json`. */
export type StackFile = v.InferOutput<typeof stackSchema>;

export interface Home {
  readonly folder: string;
  /** The table's and the queues' files. */
  readonly data: string;
  readonly keysFile: string;
  readonly logFile: string;
}

/** Another stack runs in this home; the message is one line for the person at the terminal. */
export class HomeTakenError extends Error {
  override readonly name = 'HomeTakenError';
}

const root = join(import.meta.dirname, '../..');

/** Where the home is, whether it exists or not; `given` is a folder, without it that of `MASTHEAD_HOME` or the usual one. */
export const findHome = (given = process.env.MASTHEAD_HOME): Home => {
  const folder = given === undefined || given === '' ? join(root, '.masthead') : resolve(given);
  return {
    folder,
    data: join(folder, 'data'),
    keysFile: join(folder, 'keys.json'),
    logFile: join(folder, 'functions.log'),
  };
};

/**
 * Makes the folder where it is absent, takes it for this process, and removes what an earlier stack has said.
 * @throws HomeTakenError while another stack runs in it.
 */
export const takeHome = (home: Home): void => {
  const pidFile = join(home.folder, 'pid');
  const other = remembered(pidFile, 'start.ts');
  if (other !== undefined)
    throw new HomeTakenError(
      `a stack already runs in ${home.folder} (process ${other}): stop it, or give this one another folder with MASTHEAD_HOME`,
    );
  rmSync(join(home.folder, 'stack.json'), { force: true });
  mkdirSync(home.folder, { recursive: true });
  remember(pidFile, process.pid);
};

/** Gives the folder free, and takes back what this stack has said. */
export const leaveHome = (home: Home): void => {
  rmSync(join(home.folder, 'stack.json'), { force: true });
  forget(join(home.folder, 'pid'));
};

/** Forgets everything of earlier runs: data, keys and log. */
export const clearHome = (home: Home): void => {
  for (const path of [home.data, home.keysFile, home.logFile]) rmSync(path, { recursive: true, force: true });
};

/** Writes `stack.json` in one step, so that nobody reads half of it; it holds keys, so only its owner may read it. */
export const writeStackFile = (home: Home, stack: StackFile): void => {
  const file = join(home.folder, 'stack.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** The running stack's file. @throws Error that says to start one, where none runs. */
export const readStackFile = (home: Home): StackFile => {
  const file = join(home.folder, 'stack.json');
  if (!existsSync(file)) throw new Error(`no stack runs in ${home.folder}: start one with npm start`);
  return v.parse(stackSchema, JSON.parse(readFileSync(file, 'utf8')));
};
