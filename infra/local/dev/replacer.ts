/** Replaces functions whose code has changed, in the order in which requests ask for them. */
import { BundleError } from '../../cdk/bundle-error.ts';
import type { Pool } from '../../emulator/lambda/pool.ts';
import { codeFrame } from '../code-frame.ts';
import type { devBundles } from './bundles.ts';

export type Say = (type: 'replaced' | 'failed', text: string) => void;

interface Parts {
  readonly bundles: Pick<ReturnType<typeof devBundles>, 'build' | 'drop' | 'using'>;
  readonly poolOf: (name: string) => Pick<Pool, 'folder' | 'invokedAt' | 'isWarm' | 'pause' | 'resume' | 'update'>;
  readonly say: Say;
}

interface Round {
  readonly began: number;
  readonly files: Set<string>;
  readonly replaced: Set<string>;
  readonly failures: Set<string>;
}

/** How many unused functions are bundled at once. A change to a used function does not wait for the others. */
const unusedAtOnce = 8;

const unchanged = 'The version before stays in use.';

export const startReplacing = ({ bundles, poolOf, say }: Parts) => {
  /** Functions whose code has changed since they were bundled. Their requests wait. */
  const stale = new Set<string>();
  /** Functions that did not compile, so that the files they need are not known. */
  const broken = new Set<string>();
  const inWork = new Set<string>();
  let round: Round | undefined;

  const isUsed = (name: string) => poolOf(name).invokedAt() > 0 || poolOf(name).isWarm();

  /** A function whose requests are waiting counts as the most recently invoked one. */
  const takeUsed = (): string[] => {
    const used = [...stale].filter((name) => isUsed(name) && !inWork.has(name));
    return used.sort((a, b) => poolOf(b).invokedAt() - poolOf(a).invokedAt()).slice(0, 1);
  };

  const takeUnused = (): string[] =>
    [...stale, ...inWork].some(isUsed) ? [] : [...stale].filter((name) => !inWork.has(name)).slice(0, unusedAtOnce);

  /** Gives a function its new bundle. Calls `settled` once it is in use, awaits a first request, or fails to load. */
  const use = (name: string, folder: string, settled: (isLoaded: boolean) => void = () => {}): void => {
    const pool = poolOf(name);
    bundles.drop(name, pool.folder(), folder);
    pool.update(folder, (error) => {
      if (error !== undefined)
        say(
          'failed',
          [`${name} does not load: ${error.name}: ${error.message}`, codeFrame(error.stack ?? ''), unchanged]
            .filter((line) => line !== '')
            .join('\n'),
        );
      settled(error === undefined);
    });
    if (!pool.isWarm()) settled(true);
  };

  const swap = (name: string, folder: string, { replaced }: Round) =>
    new Promise<void>((resolve) => {
      broken.delete(name);
      // The file was saved again, so the next version is loaded instead.
      if (stale.has(name)) return resolve();
      use(name, folder, (isLoaded) => {
        if (isLoaded) replaced.add(name);
        else replaced.delete(name);
        if (!stale.has(name)) poolOf(name).resume();
        resolve();
      });
    });

  const replace = async (names: readonly string[], current: Round): Promise<void> => {
    try {
      const built = await bundles.build(names);
      await Promise.all([...built].map(([name, folder]) => swap(name, folder, current)));
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      for (const name of names) {
        broken.add(name);
        if (!stale.has(name)) poolOf(name).resume();
      }
      if (!current.failures.has(error.message)) say('failed', `\n${error.message}\n\n${unchanged}`);
      current.failures.add(error.message);
    }
  };

  const lane = (take: () => string[]) => {
    let isRunning = false;
    const work = async () => {
      for (let names = take(); names.length > 0 && round !== undefined; names = take()) {
        for (const name of names) {
          stale.delete(name);
          inWork.add(name);
        }
        await replace(names, round);
        for (const name of names) inWork.delete(name);
        wake();
      }
      isRunning = false;
      endRound();
    };
    return () => {
      if (isRunning) return;
      isRunning = true;
      void work();
    };
  };
  const lanes = [lane(takeUsed), lane(takeUnused)];
  const wake = () => {
    for (const run of lanes) run();
  };

  const endRound = () => {
    if (round === undefined || stale.size > 0 || inWork.size > 0) return;
    const { files, replaced, began } = round;
    round = undefined;
    const listed = replaced.size <= 3 ? [...replaced].join(', ') : `${replaced.size} functions`;
    const ms = (performance.now() - began).toFixed(0);
    if (replaced.size > 0) say('replaced', `${[...files].join(', ')} changed: ${listed} replaced in ${ms} ms`);
  };

  return {
    /** Begins to replace the functions that these files are part of; their requests wait until then. */
    changed(files: readonly string[]): void {
      const names = new Set([...bundles.using(files), ...broken]);
      if (names.size === 0) return;
      round ??= { began: performance.now(), files: new Set(), replaced: new Set(), failures: new Set() };
      for (const file of files) round.files.add(file);
      for (const name of names) {
        stale.add(name);
        poolOf(name).pause();
      }
      wake();
    },
    use,
  };
};
