/** Samples what a stack's processes hold, memory, files and threads, from Linux' `/proc`, and the size of the home. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processTree } from '../../test/support/process-tree.ts';

export interface Sample {
  /** Seconds since the start of the soak. */
  readonly at: number;
  /** Number of the life, from 1. */
  readonly life: number;
  readonly process: string;
  readonly rssMb: number;
  readonly files: number;
  readonly threads: number;
}

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');

/** Samples a process and its children; returns nothing if one of them ends during the sample. */
export const sample = (pid: number, at: number, life: number): Sample[] => {
  try {
    return processTree(pid).map((one, position) => {
      const status = read(one, 'status');
      const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return {
        at,
        life,
        process: position === 0 ? 'stack' : read(one, 'comm').trim() || 'child',
        rssMb: Math.round(number('VmRSS') / 1024),
        files: readdirSync(`/proc/${one}/fd`).length,
        threads: number('Threads'),
      };
    });
  } catch {
    return [];
  }
};

/** Returns the bytes of all files below a folder. */
export const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export interface Trend {
  readonly process: string;
  readonly samples: number;
  /** Means of the second and the third third of the last life. */
  readonly rssMb: readonly [number, number];
  readonly files: readonly [number, number];
  readonly isFlat: boolean;
}

/** Memory that grows by less is noise of the garbage collector. */
const toleratedMb = 40;
const toleratedShare = 1.15;
const toleratedFiles = 20;

/** Compares two parts of the last life, after its start: what leaks grows from one to the other. */
export const trends = (samples: readonly Sample[]): Trend[] => {
  const last = Math.max(...samples.map(({ life }) => life));
  const ofLast = samples.filter(({ life }) => life === last);
  return [...Map.groupBy(ofLast, ({ process }) => process)].map(([name, values]) => {
    const third = Math.floor(values.length / 3);
    const [middle, end] = [values.slice(third, 2 * third), values.slice(2 * third)];
    const of = (pick: (one: Sample) => number) =>
      [Math.round(mean(middle.map(pick))), Math.round(mean(end.map(pick)))] as const;
    const [rssMb, files] = [of((one) => one.rssMb), of((one) => one.files)];
    const isFlat =
      rssMb[1] <= Math.max(rssMb[0] + toleratedMb, rssMb[0] * toleratedShare) && files[1] <= files[0] + toleratedFiles;
    return { process: name, samples: values.length, rssMb, files, isFlat };
  });
};
