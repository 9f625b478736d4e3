/** Attacks on every limit of the settings. Each limit is 2 here, so the third request is refused. */
import { afterAll, describe, expect, it } from 'vitest';
import { attackFailedKeys, attackOn, limitsOf } from '../attack/limits.ts';
import { createWorld } from '../attack/world.ts';
import { freshPlace } from '../support/attack-place.ts';
import { expectRefusal } from '../support/envelope.ts';
import { settings } from '../support/invitation.ts';
import { startReceiver } from '../support/loopback-receiver.ts';
import { stopTime } from '../support/test-time.ts';

// Stops the clock: a limit per minute would allow more if a new minute began between two requests.
stopTime();
const receiver = await startReceiver((_request, response) => response.end('ok'));
afterAll(receiver.close);

const limits = Object.keys(limitsOf(settings));
const lowered = Map.groupBy(limits, (path) => path.split('.')[0] ?? '');
const world = await createWorld(
  await freshPlace(
    `http://127.0.0.1:${receiver.port}`,
    Object.fromEntries(
      [...lowered].map(([group, paths]) => [group, Object.fromEntries(paths.map((path) => [path.split('.')[1], 2]))]),
    ),
  ),
);

describe('a limit in the settings allows exactly as many requests as it says', () => {
  it.each(limits)('%s', async (setting) => {
    const { allowed, refusal } = await attackOn(setting)(world, 2);
    expect(allowed).toBe(2);
    expectRefusal(refusal ?? expect.fail(), { status: 429, type: 'TooManyRequestsError' });
    expect(Number(refusal?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

it('an IP address is blocked after 50 requests without a valid key in ten seconds', async () => {
  const { allowed, refusal } = await attackFailedKeys(world, 200);
  expect([allowed, refusal?.status]).toEqual([50, 429]);
});
