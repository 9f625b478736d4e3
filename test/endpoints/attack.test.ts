/** The fast part of the attack suite: every endpoint with every caller and with own, foreign, unknown and malformed ids. `npm --prefix lab run attack` runs all of it. */
import { afterAll, describe, expect, it } from 'vitest';
import { expectationOf } from '../attack/expectations.ts';
import { attackEndpoint, endpoints } from '../attack/matrix.ts';
import { createWorld } from '../attack/world.ts';
import { freshPlace } from '../support/attack-place.ts';
import { startReceiver } from '../support/loopback-receiver.ts';

const receiver = await startReceiver((_request, response) => response.end('ok'));
afterAll(receiver.close);

const { callers, ...others } = await createWorld(await freshPlace(`http://127.0.0.1:${receiver.port}`));
// One invalid token of several; `authentication.test.ts` has them all.
const [impostor] = callers.filter(({ kind }) => kind === 'impostor');
const world = { ...others, callers: callers.filter((caller) => caller.kind !== 'impostor' || caller === impostor) };

describe('each endpoint responds to every caller and id as the contract says, and a refused request changes nothing', () => {
  it.each(endpoints)('$method $path', async (line) => {
    const row = await attackEndpoint(world, line);
    expect(row.findings).toEqual([]);
    // A key opens no endpoint that needs a signature.
    if (expectationOf(line).needs === 'a signature') expect(row.allowed).toBe(0);
    else expect(row.allowed).toBeGreaterThan(0);
  });
});
