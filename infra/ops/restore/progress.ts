/** The progress of a restore, in a file of the home, so that an interrupted run continues. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findHome, writePrivate } from '../../local/home.ts';
import { countsSchema, cursorSchema } from './compare.ts';

const progressSchema = v.object({
  /** Identifies the restore: another second or another way is another restore. */
  plan: v.string(),
  target: v.string(),
  step: v.picklist(['restore', 'copy', 'verify', 'protect']),
  cursor: v.optional(cursorSchema),
  counts: countsSchema,
});
export type Progress = v.InferOutput<typeof progressSchema>;

export interface ProgressFile {
  readonly path: string;
  /** Returns the progress of an unfinished run. @throws Error if it is of another plan */
  read(plan: string): Progress | undefined;
  write(progress: Progress): void;
  remove(): void;
}

export const progressFile = (stage: string): ProgressFile => {
  const home = findHome();
  const path = join(home.folder, `restore-${stage}.json`);
  return {
    path,
    read(plan) {
      if (!existsSync(path)) return undefined;
      const progress = v.parse(progressSchema, JSON.parse(readFileSync(path, 'utf8')));
      if (progress.plan === plan) return progress;
      throw new Error(
        `Another restore of ${stage} is unfinished: ${progress.plan}. ` +
          `Finish it with the same options, or delete ${path}.`,
      );
    },
    write: (progress) => writePrivate(home, path, progress),
    remove: () => rmSync(path, { force: true }),
  };
};
