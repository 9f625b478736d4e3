/** Ten endpoints of the attack suite, with every caller and with own, foreign, unknown and malformed ids. `npm --prefix lab run attack` attacks all of them. */
import { afterAll, describe, expect, it } from 'vitest';
import type { FunctionName } from '../../shared/contract.ts';
import { expectationOf } from '../attack/expectations.ts';
import { attackEndpoint, endpoints } from '../attack/matrix.ts';
import { createWorld } from '../attack/world.ts';
import { freshPlace } from '../support/attack-place.ts';
import { startReceiver } from '../support/loopback-receiver.ts';

const receiver = await startReceiver((_request, response) => response.end('ok'));
afterAll(receiver.close);

/** At least one for everything that a path can name, and for every right that a caller can need. */
const chosen: readonly FunctionName[] = [
  'webhooks/update',
  'deliveries/redeliver',
  'invites/create',
  'invites/delete',
  'invites/accept',
  'events/publish',
  'integrations/update',
  'sessions/end',
  'users/end-session',
  'inbound/ghost',
];
const attacked = endpoints.filter(({ function: name }) => chosen.some((one) => one === name));

const { callers, ...others } = await createWorld(await freshPlace(`http://127.0.0.1:${receiver.port}`));
// One invalid token of several; `authentication.test.ts` has them all.
const [impostor] = callers.filter(({ kind }) => kind === 'impostor');
const world = { ...others, callers: callers.filter((caller) => caller.kind !== 'impostor' || caller === impostor) };

describe('an endpoint responds to every caller and id as the contract says, and a refused request changes nothing', () => {
  it.each(attacked)('$method $path', async (line) => {
    const row = await attackEndpoint(world, line);
    expect(row.findings).toEqual([]);
    // A key opens no endpoint that needs a signature.
    if (expectationOf(line).needs === 'a signature') expect(row.allowed).toBe(0);
    else expect(row.allowed).toBeGreaterThan(0);
  });
});
