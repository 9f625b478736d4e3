/** CPU time and memory of a process with all of its children, from Linux's `/proc`. */
import { readFileSync } from 'node:fs';
import { processTree } from '../../support/process-tree.ts';

/** A tick of `/proc/<pid>/stat` in ms; Linux reports 100 a second on all platforms that Node supports. */
const tickMs = 10;

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
};

/** Returns the CPU time so far of its threads, ended ones included, and of its ended children (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html), in ms. */
const cpuOfOne = (pid: number): number => {
  const stat = read(`/proc/${pid}/stat`);
  // The name, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * tickMs;
};

/** Returns the CPU time so far, in ms. */
export const cpuOf = (pid: number): number => processTree(pid).reduce((sum, one) => sum + cpuOfOne(one), 0);

/** Returns the memory in MiB: the proportional set size, in which pages that processes share count once. */
export const memoryOf = (pid: number): number =>
  processTree(pid).reduce((sum, one) => {
    const [, kib = '0'] = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${one}/smaps_rollup`)) ?? [];
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
