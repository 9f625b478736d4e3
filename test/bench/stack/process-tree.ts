/** CPU time and memory of a process with all of its children, from Linux's `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';

/** A tick of `/proc/<pid>/stat` in ms; Linux reports 100 a second on all platforms that Node supports. */
const tickMs = 10;

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Of its threads, ended ones included, and of its ended children. */
  readonly cpuMs: number;
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
};

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const readProcess = (pid: number): Process => {
  const stat = read(`/proc/${pid}/stat`);
  // The name, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), cpuMs: ticks * tickMs };
};

const treeOf = (pid: number): readonly Process[] => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)));
  const found = all.filter((process) => process.pid === pid);
  for (const { pid: parent } of found) found.push(...all.filter((process) => process.parent === parent));
  return found;
};

/** Returns the CPU time so far, in ms. */
export const cpuOf = (pid: number): number => treeOf(pid).reduce((sum, { cpuMs }) => sum + cpuMs, 0);

/** Returns the memory in MiB: the proportional set size, in which pages that processes share count once. */
export const memoryOf = (pid: number): number =>
  treeOf(pid).reduce((sum, process) => {
    const [, kib = '0'] = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${process.pid}/smaps_rollup`)) ?? [];
    return sum + Number(kib) / 1024;
  }, 0);

/** Reads the memory four times a second until `stop`, which returns the highest value. */
export const watchMemory = (pid: number): { stop(): number } => {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, memoryOf(pid));
  };
  const timer = setInterval(look, 250);
  return {
    stop() {
      clearInterval(timer);
      look();
      return peak;
    },
  };
};
