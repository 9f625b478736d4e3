/** While a deployment shifts traffic, the previous release and this one run on the same table and queues: each works on with what the other left. */
import { describe, expect, it } from 'vitest';
import { openWorld, titleOf } from './open-worlds.ts';
import { previousRelease } from './previous-release.ts';
import type { Release } from './releases.ts';

const releases = await openWorld('previous');

const directions: readonly (readonly [Release, Release])[] = [
  ['previous', 'current'],
  ['current', 'previous'],
];

describe('two releases side by side', () => {
  it('name the previous one by its full revision, which no tag moves', () => {
    expect(previousRelease).toMatch(/^[0-9a-f]{40}$/);
  });

  for (const [first, second] of directions)
    for (const story of releases?.stories ?? [])
      it(titleOf(story, first, second), async () => {
        await story.play({
          first: async () => releases?.on(first),
          second: async () => releases?.on(second),
        });
      });

  it.skipIf(releases === undefined)(
    'a large event of this release is refused by the previous one, alone in its batch, and waits for this one',
    async () => {
      if (releases === undefined) return;
      const { on, stack, world } = releases;
      const { keys, arrivals, hook, drain } = world;
      const lengths = () => arrivals(path).map(({ body }) => JSON.parse(body).page.current.html.length);
      on('current');
      const { path } = await hook({ event: 'page.added' });
      const events = [300_000, 3].map((length) => ({
        event: 'page.added',
        payload: { page: { current: { html: 'x'.repeat(length) }, previous: {} } },
      }));
      const answer = await stack.call('events/publish', {
        path: '/admin/events/',
        key: keys.integration,
        body: { events },
      });
      expect(answer.status).toBe(202);
      for (const queue of ['events', 'deliveries'] as const) {
        on('previous');
        expect(await stack.drain(queue)).toEqual({ succeeded: 1, failed: 1 });
        on('current');
        await drain(queue);
      }
      expect(lengths()).toEqual([3, 300_000]);
    },
  );
});
