/** Tests that attack endpoints on handlers in this process: every caller, and own, foreign, unknown and bad ids. */
import { afterAll, describe, expect, it } from 'vitest';
import type { EndpointLine } from '../../shared/contract.ts';
import { freshPlace } from '../support/attack-place.ts';
import { startReceiver } from '../support/loopback-receiver.ts';
import { expectationOf } from './expectations.ts';
import { attackEndpoint } from './matrix.ts';
import { createWorld } from './world.ts';

/** Defines one test for each of these endpoints; call it once a file, at its top. */
export const testEndpoints = async (attacked: readonly EndpointLine[]): Promise<void> => {
  const receiver = await startReceiver((_request, response) => response.end('ok'));
  afterAll(receiver.close);
  const { callers, ...others } = await createWorld(await freshPlace(`http://127.0.0.1:${receiver.port}`));
  // One invalid token of several; `authentication.test.ts` has them all.
  const [impostor] = callers.filter(({ kind }) => kind === 'impostor');
  const world = { ...others, callers: callers.filter((caller) => caller.kind !== 'impostor' || caller === impostor) };

  describe('an endpoint responds to every caller and id as the contract says, and refusals change nothing', () => {
    it.each(attacked)('$method $path', async (line) => {
      const row = await attackEndpoint(world, line);
      expect(row.findings).toEqual([]);
      // A key opens no endpoint that needs a signature.
      if (expectationOf(line).needs === 'a signature') expect(row.allowed).toBe(0);
      else expect(row.allowed).toBeGreaterThan(0);
    });
  });
};
