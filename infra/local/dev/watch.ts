/** Watches folders and reports which files changed. */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps, and a checkout changes many files; in ms. */
const settleMs = 20;

/**
 * Calls `changed` with the files, relative to the root, after each change.
 * @param folders below the root, with all folders in them
 */
export const watchFiles = (
  root: string,
  folders: readonly string[],
  changed: (files: readonly string[]) => void,
): { stop(): void } => {
  const files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const batch = [...files];
    files.clear();
    changed(batch);
  };
  const watchers = folders.map(
    (folder): FSWatcher =>
      watch(join(root, folder), { recursive: true }, (_event, name) => {
        if (name === null || isTemporary(name)) return;
        files.add(join(folder, name).replaceAll('\\', '/'));
        clearTimeout(timer);
        timer = setTimeout(flush, settleMs);
      }),
  );
  return {
    stop() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
};

/** Files that editors write beside the one that is saved. */
const isTemporary = (name: string): boolean => /(^|[\\/])(\.[^\\/]*|[^\\/]*~|\d+)$/.test(name);
