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

  it.skipIf(releases === undefined).each([
    ['previous', 'current'],
    ['current', 'previous'],
  ] as const)('a large event that the %s release accepts is delivered by the %s one', async (accepting, delivering) => {
    if (releases === undefined) return;
    const { on, stack, world } = releases;
    const { keys, arrivals, hook, drain } = world;
    on(accepting);
    const { path } = await hook({ event: 'page.added' });
    const events = [300_000, 5000, 3].map((length) => ({
      event: 'page.added',
      payload: { page: { current: { html: 'x'.repeat(length) }, previous: {} } },
    }));
    const request = { path: '/admin/events/', key: keys.integration, body: { events } };
    expect((await stack.call('events/publish', request)).status).toBe(202);
    on(delivering);
    for (const queue of ['events', 'deliveries'] as const) await drain(queue);
    const lengths = arrivals(path).map(({ body }) => JSON.parse(body).page.current.html.length);
    expect(lengths.toSorted((one, other) => one - other)).toEqual([3, 5000, 300_000]);
  });
});
