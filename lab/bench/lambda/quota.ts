/** Gives a process on this machine the share of a CPU that Lambda gives to a memory size. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpusOf } from '../../../test/support/function-memory.ts';

/** Lambda assigns CPU time in slices of 20 ms. */
const periodMicros = 20_000;

export interface Quota {
  /** Limits a process and all of its threads from now on. */
  limit(pid: number): void;
  /** Removes what the limit needed. The process must have ended. */
  remove(): void;
}

/** A way of this machine to limit a process to the quota of a memory size in MB. */
export interface Limiter {
  readonly name: string;
  quotaOf(memoryMb: number): Quota;
}

/** The names of all ways. */
export const limiterNames = ['cgroup v1', 'cgroup v2', 'cpulimit'] as const;

/** Returns the first way that works here, or the named one. @throws Error if this machine has no way to limit a process */
export const findLimiter = (wanted?: (typeof limiterNames)[number]): Limiter => {
  const ways = [cgroupV1, cgroupV2, cpulimit].filter(({ name }) => wanted === undefined || name === wanted);
  const found = ways.find(({ isPossible }) => isPossible());
  if (found === undefined)
    throw new Error('No way to limit the CPU: run as root on Linux with cgroups, or install cpulimit.');
  return found;
};

const microsOf = (memoryMb: number): number => Math.max(1000, Math.round(cpusOf(memoryMb) * periodMicros));

/** A cgroup below `root`, with the files that set its limit. */
const inGroup = (
  root: string,
  files: (memoryMb: number) => Readonly<Record<string, string>>,
  memoryMb: number,
): Quota => {
  const group = join(root, `masthead-bench-${process.pid}-${memoryMb}`);
  mkdirSync(group, { recursive: true });
  for (const [file, text] of Object.entries(files(memoryMb))) writeFileSync(join(group, file), text);
  return {
    limit: (pid) => writeFileSync(join(group, 'cgroup.procs'), String(pid)),
    remove: () => rmdirSync(group),
  };
};

/** Returns whether a cgroup can be created there. */
const isWritable = (root: string): boolean => {
  const probe = join(root, `masthead-probe-${process.pid}`);
  try {
    mkdirSync(probe);
    rmdirSync(probe);
    return true;
  } catch {
    return false;
  }
};

const v1 = '/sys/fs/cgroup/cpu';
const cgroupV1 = {
  name: 'cgroup v1',
  isPossible: () => existsSync(join(v1, 'cpu.cfs_quota_us')) && isWritable(v1),
  quotaOf: (memoryMb: number) =>
    inGroup(
      v1,
      (memory) => ({ 'cpu.cfs_period_us': String(periodMicros), 'cpu.cfs_quota_us': String(microsOf(memory)) }),
      memoryMb,
    ),
};

const v2 = '/sys/fs/cgroup';
const cgroupV2 = {
  name: 'cgroup v2',
  isPossible: () => {
    const control = join(v2, 'cgroup.subtree_control');
    return existsSync(control) && /\bcpu\b/.test(readFileSync(control, 'utf8')) && isWritable(v2);
  },
  quotaOf: (memoryMb: number) =>
    inGroup(v2, (memory) => ({ 'cpu.max': `${microsOf(memory)} ${periodMicros}` }), memoryMb),
};

/** Limits by stopping and continuing the process; coarser than cgroups, but needs no root. */
const cpulimit = {
  name: 'cpulimit',
  isPossible: () => {
    try {
      execFileSync('which', ['cpulimit'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  },
  quotaOf: (memoryMb: number): Quota => {
    let limiting: ChildProcess | undefined;
    return {
      limit(pid) {
        const percent = Math.max(1, Math.round(cpusOf(memoryMb) * 100));
        limiting = spawn('cpulimit', ['-p', String(pid), '-l', String(percent), '-z'], { stdio: 'ignore' });
      },
      remove: () => limiting?.kill(),
    };
  },
};
