/** The scenarios of `npm --prefix lab run simulate` in a small size: what must never happen, by the receivers' ledger. Only the command measures times. */
import { describe, expect, it } from 'vitest';
import { scenarios } from './scenarios/index.ts';

describe('the receivers', () => {
  it.each([
    ['dead-letters', 1, 'get the dead letters of five days ago, although one of them is answered with Retry-After'],
    ['moved-hooks', 0.5, 'get an event once, although their webhooks change target URLs while it is fanned out'],
    ['late-answers', 0.02, 'get each event once, although they take up to ten seconds to respond'],
    ['shared-origin', 0.05, 'get each event next to a failing, hanging or throttling webhook on their origin'],
    ['many-replays', 0.04, 'get new events while the replays of another integration run, also to receivers that hang'],
    ['slow-fan-out', 0.1, 'get an event whose fan-out takes half a second per request'],
  ])('of %s (%d of its size) %s', async (name, scale) => {
    const report = await scenarios[name]?.run({ seed: 1, scale });
    const never = Object.entries(report?.gates ?? {}).filter(([, { atMost }]) => atMost === 0);
    expect(never.length).toBeGreaterThan(0);
    expect(Object.fromEntries(never.map(([figure]) => [figure, report?.figures[figure]]))).toEqual(
      Object.fromEntries(never.map(([figure]) => [figure, 0])),
    );
    expect(report?.examples).toEqual([]);
  });
});
