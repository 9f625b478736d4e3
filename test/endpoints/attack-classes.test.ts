/** Attacks with more than one request, on handlers in this process; `npm --prefix lab run attack` has a whole stack. */
import { afterAll, expect, it } from 'vitest';
import { attackClasses } from '../attack/classes.ts';
import { createWorld } from '../attack/world.ts';
import { freshPlace } from '../support/attack-place.ts';
import { startReceiver } from '../support/loopback-receiver.ts';

const receiver = await startReceiver((_request, response) => response.end('ok'));
afterAll(receiver.close);
const world = await createWorld(await freshPlace(`http://127.0.0.1:${receiver.port}`));

it.each(Object.entries(attackClasses))('an attack is refused as the contract says: %s', async (_, attack) => {
  const { answered, expected } = await attack(world);
  expect(answered).toEqual(expected);
});
