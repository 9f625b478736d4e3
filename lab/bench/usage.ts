/** CPU time and memory of a process with all of its children, from Linux's `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';
import { processTree } from '../../test/support/process-tree.ts';

/** A tick of `/proc/<pid>/stat` in ms; Linux reports 100 a second on all platforms that Node supports. */
const tickMs = 10;

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended in the meantime.
    return '';
  }
};

/**
 * Returns the CPU time in ms used so far by a process: its threads, including ended ones, and its ended children
 * (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html).
 */
const cpuOfOne = (pid: number): number => {
  const stat = read(`/proc/${pid}/stat`);
  // The name, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * tickMs;
};

/** Returns the CPU time so far, in ms. */
export const cpuOf = (pid: number): number => processTree(pid).reduce((sum, one) => sum + cpuOfOne(one), 0);

/** Who uses the CPU: functions, the thread with gateway, proxy and queues, V8's threads (compiler, GC), the table. */
export const layers = ['functions', 'main', 'v8', 'table'] as const;
export type Layer = (typeof layers)[number];

/** Returns the CPU time in ms used so far by the live threads, by layer. `pid` is the stack's process. */
export const cpuByLayer = (pid: number): Record<Layer, number> => {
  const found = { functions: 0, main: 0, v8: 0, table: 0 };
  for (const one of processTree(pid))
    for (const thread of threadsOf(one)) found[layerOf(pid, one, thread)] += cpuOfThread(one, thread);
  return found;
};

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

const layerOf = (stack: number, pid: number, thread: string): Layer => {
  if (pid !== stack) return 'table';
  if (thread === String(stack)) return 'main';
  // The threads of environments are named after their functions.
  return read(`/proc/${pid}/task/${thread}/comm`).startsWith('masthead-') ? 'functions' : 'v8';
};

/** The first figure is the time on a core in ns (https://docs.kernel.org/scheduler/sched-stats.html). */
const cpuOfThread = (pid: number, thread: string): number =>
  Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6;

/** Returns the memory in MiB as the proportional set size, which counts shared pages once. */
export const memoryOf = (pid: number): number =>
  processTree(pid).reduce((sum, one) => {
    const [, kib = '0'] = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${one}/smaps_rollup`)) ?? [];
    return sum + Number(kib) / 1024;
  }, 0);

/** Reads the memory four times a second until `stop` is called, which returns the highest value. */
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
