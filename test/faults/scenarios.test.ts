/** Scenarios of `npm run simulate` in a small size: what must never happen, by the receivers' ledger. Their times are for the command. */
import { describe, expect, it } from 'vitest';
import { scenarios } from './scenarios/index.ts';

describe('the receivers', () => {
  it.each([
    ['dead-letters', 1, 'get the dead letters of five days ago, though one of them is answered with Retry-After'],
    ['moved-hooks', 0.5, 'get an event once, wherever their webhooks move while it is fanned out'],
    ['late-answers', 0.02, 'get each event once, however late within ten seconds they answer'],
    ['shared-origin', 0.05, 'get each event beside a failing, hanging or refusing webhook on their origin'],
    ['slow-fan-out', 0.1, 'get an event whose fan-out waits half a second for each request'],
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
