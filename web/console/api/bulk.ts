/** Many changes in one go: a few requests at a time, and one reading of the lists at the end. */
import { refresh, sendChange } from './client.ts';

/** Concurrent requests; a new AWS account allows ten executions. */
const concurrency = 4;

export interface BulkResult {
  readonly done: number;
  /** What failed, by position, with the error. */
  readonly failed: readonly { readonly position: number; readonly error: unknown }[];
}

/** Sends a change for each of these paths, and goes on if one fails. @param onDone is told how many have ended */
export const changeMany = async (
  method: 'POST' | 'DELETE',
  paths: readonly string[],
  onDone: (ended: number) => void,
): Promise<BulkResult> => {
  const failed: { position: number; error: unknown }[] = [];
  const open = [...paths.entries()];
  let ended = 0;
  const work = async (): Promise<void> => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const [position, path] = next;
      await sendChange(method, path).catch((error: unknown) => failed.push({ position, error }));
      onDone(++ended);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  refresh();
  return { done: paths.length - failed.length, failed };
};
