/** The cache of permissions to publish: permissions live for four seconds, refusals are not cached. */
import { expect, it } from 'vitest';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { publisherFinder } from '../../shared/integrations/may-publish.ts';

const id = '1'.repeat(24) as IntegrationId;

const given = (can_publish: boolean) => {
  const world = { integration: { can_publish } as { can_publish: boolean } | undefined, reads: 0, now: 0, readMs: 0 };
  const find = publisherFinder({
    async readIntegration() {
      const found = world.integration;
      world.reads += 1;
      world.now += world.readMs;
      return found;
    },
    clock: () => world.now,
  });
  return { world, mayPublish: () => find(id) };
};

it('a permission to publish is read at most once in four seconds', async () => {
  const { world, mayPublish } = given(true);
  expect(await mayPublish()).toBe(true);
  world.now += 3999;
  expect([await mayPublish(), world.reads]).toEqual([true, 1]);
  world.now += 1;
  expect([await mayPublish(), world.reads]).toEqual([true, 2]);
});

it.each([
  ['was withdrawn', { can_publish: false }],
  ['is of an integration that is being deleted', undefined],
])('a permission to publish that %s ends within four seconds', async (_, changed) => {
  const { world, mayPublish } = given(true);
  await mayPublish();
  world.integration = changed;
  world.now += 4000;
  expect(await mayPublish()).toBe(false);
});

it('the four seconds count from the start of the read', async () => {
  const { world, mayPublish } = given(true);
  world.readMs = 3000;
  await mayPublish();
  world.integration = { can_publish: false };
  world.now += 1000;
  expect(await mayPublish()).toBe(false);
});

it('a new permission to publish is valid at once', async () => {
  const { world, mayPublish } = given(false);
  expect(await mayPublish()).toBe(false);
  world.integration = { can_publish: true };
  expect(await mayPublish()).toBe(true);
});
