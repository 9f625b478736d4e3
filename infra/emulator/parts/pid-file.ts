/** Records in a file which process uses some data, so that the next start detects a process that is left over. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const runs = (pid: number, program: string): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return withSlashes(commandLineOf(pid)).includes(withSlashes(program));
};

/** On Windows a command line may have either separator. */
const withSlashes = (path: string): string => path.replaceAll('\\', '/');

/** Returns a process's program and arguments as the platform shows them; empty if it has ended or is a zombie. */
export const commandLineOf = (pid: number, platform: string = process.platform): string => {
  if (platform === 'linux')
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  const [program, ...args] =
    platform === 'win32'
      ? [
          'powershell.exe',
          '-NoProfile',
          '-Command',
          `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`,
        ]
      : ['ps', '-ww', '-o', 'command=', '-p', String(pid)];
  return spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';
};
