/** The stories of two releases on one stack; none if the previous release's sources are missing. */
import { afterAll, afterEach, beforeEach, it, vi } from 'vitest';
import { accountStories } from './account-stories.ts';
import { deliveryStories } from './delivery-stories.ts';
import { whyMissing } from './previous-release.ts';
import { type Release, type TwoReleases, twoReleases } from './releases.ts';
import { makeWorld, type Story, type TestWorld } from './world.ts';

export interface OpenWorld extends TwoReleases {
  readonly world: TestWorld;
  readonly stories: readonly Story[];
}

/** Seeds a stack with the functions of a release. Returns undefined, and skips with the reason, without a previous release. */
export const openWorld = async (seededBy: Release): Promise<OpenWorld | undefined> => {
  const reason = whyMissing();
  if (reason !== undefined) {
    console.warn(reason);
    // A file without a test fails; this one says in the report why it has none.
    it.skip(reason, () => {});
    return undefined;
  }
  const releases = await twoReleases();
  releases.on(seededBy);
  const world = await makeWorld(releases, await releases.stack.seed());
  afterAll(world.close);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(async () => {
    vi.useRealTimers();
    // The data of one story must not affect another.
    for (const queue of ['events', 'deliveries', 'slow-deliveries', 'mail', 'replays', 'deletions'] as const)
      await releases.stack.take(queue);
  });
  return { ...releases, world, stories: [...deliveryStories(world), ...accountStories(world)] };
};

/** Returns the title of a story with the names of its two releases. */
export const titleOf = ({ title }: Story, first: Release, second: Release): string =>
  title.replaceAll(/\b[AB]\b/g, (letter) => `the ${letter === 'A' ? first : second} release`);
