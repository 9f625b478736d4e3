/** `npm run dev` first replaces the functions that requests ask for, and no request after a save runs old code. */
import { expect, it } from 'vitest';
import { BundleError } from '../../infra/cdk/bundle-error.ts';
import { startReplacing } from '../../infra/local/dev/replacer.ts';

/** Functions that all use `shared/all.ts`, with the time of last use, or 0; the test ends each build. */
const workshop = (invokedAt: Readonly<Record<string, number>>) => {
  const builds: { readonly names: readonly string[]; end(error?: Error): void }[] = [];
  const said: string[] = [];
  const states = new Map(
    Object.entries(invokedAt).map(([name, at]) => [name, { at, isHeld: false, folder: 'first', isWarm: at > 0 }]),
  );
  let waiting = (): void => {};
  const stateOf = (name: string) => states.get(name) ?? { at: 0, isHeld: false, folder: '', isWarm: false };
  let version = 1;
  const replacing = startReplacing({
    bundles: {
      build: (names) =>
        new Promise((resolve, reject) => {
          const folder = `version ${++version}`;
          const end = (error?: Error) =>
            error === undefined ? resolve(new Map(names.map((name) => [name, folder]))) : reject(error);
          builds.push({ names, end });
          waiting();
        }),
      drop() {},
      using: () => [...states.keys()],
    },
    poolOf: (name) => {
      const state = stateOf(name);
      return {
        folder: () => state.folder,
        pause() {
          state.isHeld = true;
        },
        resume() {
          state.isHeld = false;
        },
        invokedAt: () => state.at,
        isWarm: () => state.isWarm,
        update(folder, settled) {
          state.folder = folder;
          if (state.isWarm) settled();
        },
      };
    },
    say: (_type, text) => {
      said.push(text);
      waiting();
    },
  });
  return {
    builds,
    said,
    stateOf,
    save: () => replacing.changed(['shared/all.ts']),
    async begun(count: number): Promise<void> {
      while (builds.length < count) await new Promise<void>((resolve) => (waiting = resolve));
    },
    async run(): Promise<void> {
      for (let at = 0; said.length === 0; at++) {
        if (at === builds.length) await new Promise<void>((resolve) => (waiting = resolve));
        builds[at]?.end();
      }
    },
  };
};

it('recently used functions are bundled first, one by one, and then all others together', async () => {
  const { builds, save, run, said } = workshop({ 'roles/list': 0, 'users/list': 5, 'site/read': 0, 'config/read': 9 });
  save();
  await run();
  expect(builds.map(({ names }) => names)).toEqual([['config/read'], ['users/list'], ['roles/list', 'site/read']]);
  expect(said).toEqual([expect.stringMatching(/^shared\/all\.ts changed: 4 functions replaced in \d+ ms$/)]);
});

it('requests wait from the save until the new bundle of their function is ready', async () => {
  const { builds, save, begun, stateOf } = workshop({ 'config/read': 9, 'users/list': 5 });
  save();
  await begun(1);
  expect(stateOf('config/read')).toMatchObject({ isHeld: true, folder: 'first' });
  builds[0]?.end();
  await begun(2);
  expect(stateOf('config/read')).toMatchObject({ isHeld: false, folder: 'version 2' });
  expect(stateOf('users/list').isHeld).toBe(true);
});

it('a new save does not wait for the unused functions of the previous save', async () => {
  const { builds, save, begun } = workshop({ 'config/read': 9, 'roles/list': 0 });
  save();
  await begun(1);
  builds[0]?.end();
  // Given a build of the unused function
  await begun(2);
  save();
  await begun(3);
  expect(builds.map(({ names }) => names)).toEqual([['config/read'], ['roles/list'], ['config/read']]);
});

it('a function with its first request is bundled before the other unused functions', async () => {
  const unused = Array.from({ length: 20 }, (_, index) => [`noun/${index}`, 0]);
  const { builds, save, begun, stateOf } = workshop(Object.fromEntries(unused));
  save();
  await begun(1);
  // When a request waits for one of them
  stateOf('noun/19').at = 1;
  builds[0]?.end();
  await begun(2);
  expect(builds[1]?.names).toEqual(['noun/19']);
});

it('a version is not loaded if its files were saved again during the build', async () => {
  const { builds, save, begun, stateOf } = workshop({ 'config/read': 9 });
  save();
  await begun(1);
  save();
  builds[0]?.end();
  await begun(2);
  expect(stateOf('config/read')).toMatchObject({ isHeld: true, folder: 'first' });
});

it('code that does not compile is reported once, and requests run the previous version', async () => {
  const { builds, save, begun, said, stateOf } = workshop({ 'config/read': 9, 'users/list': 5 });
  save();
  for (const at of [0, 1]) {
    await begun(at + 1);
    builds[at]?.end(new BundleError('shared/all.ts:1:1: Unexpected'));
  }
  await expect.poll(() => stateOf('users/list').isHeld).toBe(false);
  expect(stateOf('config/read')).toMatchObject({ isHeld: false, folder: 'first' });
  expect(said).toEqual(['\nshared/all.ts:1:1: Unexpected\n\nThe version before stays in use.']);
});
