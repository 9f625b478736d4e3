/** While a deployment shifts traffic, the previous release and this one run on the same table and queues: each works on with what the other left. */
import { describe, expect, it } from 'vitest';
import { openWorld, titleOf } from './open-worlds.ts';
import { previousRelease } from './previous-release.ts';
import type { Release } from './releases.ts';

const world = await openWorld('previous');

const directions: readonly (readonly [Release, Release])[] = [
  ['previous', 'current'],
  ['current', 'previous'],
];

describe('two releases side by side', () => {
  it('name the previous one by its full revision, which no tag moves', () => {
    expect(previousRelease).toMatch(/^[0-9a-f]{40}$/);
  });

  for (const [first, second] of directions)
    for (const story of world?.stories ?? [])
      it(titleOf(story, first, second), async () => {
        await story.play({
          first: async () => world?.on(first),
          second: async () => world?.on(second),
        });
      });
});
