/** Watches folders and reports which files changed, regardless of how an editor saves them. */
import { join, relative } from 'node:path';
import { watch } from 'chokidar';

/** The wait for further changes, in ms: editors write a file in steps, and a checkout changes many files. */
const settleMs = 20;

/**
 * Calls `changed` with changed files, relative to the root: also new, deleted and renamed ones (some editors save so).
 * Resolves once it is watching.
 * @param folders below the root, including all folders in them
 */
export const watchFiles = (
  root: string,
  folders: readonly string[],
  changed: (files: readonly string[]) => void,
): Promise<{ stop(): Promise<void> }> => {
  const files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const batch = [...files];
    files.clear();
    changed(batch);
  };
  const watcher = watch(
    folders.map((folder) => join(root, folder)),
    { ignoreInitial: true, ignored: (path) => isTemporary(relative(root, path)) },
  );
  watcher.on('all', (kind, path) => {
    if (kind !== 'add' && kind !== 'change' && kind !== 'unlink') return;
    files.add(relative(root, path).replaceAll('\\', '/'));
    clearTimeout(timer);
    timer = setTimeout(flush, settleMs);
  });
  const watching = {
    stop: () => {
      clearTimeout(timer);
      return watcher.close();
    },
  };
  return new Promise((resolve, reject) => {
    watcher.once('ready', () => resolve(watching));
    watcher.once('error', reject);
  });
};

/** Temporary files that editors write next to the saved file. */
const isTemporary = (name: string): boolean => /(^|[\\/])(\.[^\\/]+|[^\\/]*~|\d+)$/.test(name);
