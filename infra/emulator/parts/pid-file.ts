/** Records in a file which process uses some data, so that the next start detects a process that is left over. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Writes the process id to the file. */
export const remember = (file: string, pid: number): void => {
  writeFileSync(file, `${pid}\n`);
};

/** Removes the file; it may be absent. */
export const forget = (file: string): void => {
  rmSync(file, { force: true });
};

/** Returns the process id in the file if that process still runs `program`: process ids are reused. */
export const remembered = (file: string, program: string): number | undefined => {
  let pid: number;
  try {
    pid = Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  return Number.isInteger(pid) && pid > 1 && runs(pid, program) ? pid : undefined;
};

/** Kills the process in the file if it still runs this program, and waits until it has ended. */
export const endOld = async (file: string, program: string): Promise<void> => {
  const pid = remembered(file, program);
  if (pid !== undefined) {
    process.kill(pid, 'SIGKILL');
    while (runs(pid, program)) await wait(5);
  }
  forget(file);
};

/** A zombie has an empty command line. Without `/proc`, every running process matches. */
const runs = (pid: number, program: string): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!existsSync('/proc/self/cmdline')) return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program);
  } catch {
    return false;
  }
};
