/** The processes that a process has started, read from Linux' `/proc`. */
import { readFileSync } from 'node:fs';

/** Returns the process, then its children with theirs; those of a process that has ended meanwhile are missing. */
export const processTree = (pid: number): readonly number[] => [pid, ...childrenOf(pid).flatMap(processTree)];

const childrenOf = (pid: number): readonly number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};
