/** The scenarios of `npm --prefix lab run simulate` in small: what must never happen. The command measures times. */
import { describe, expect, it } from 'vitest';
import { scenarios } from './scenarios/index.ts';

describe('the receivers', () => {
  it.each([
    ['dead-letters', 1, 'get the dead letters of five days ago, even after an answer with Retry-After'],
    ['moved-hooks', 0.5, 'get an event once, even if their target URLs change during its fan-out'],
    ['late-answers', 0.02, 'get each event once, even if they respond only after up to ten seconds'],
    ['shared-origin', 0.05, 'get each event, even if another webhook on their origin fails, hangs or throttles'],
    ['many-replays', 0.04, 'get new events while another integration runs replays, even to hanging receivers'],
    ['throttle', 0.05, 'get no more requests in a second than they allow, and each event once'],
    ['slow-fan-out', 0.1, 'get an event whose fan-out takes half a second per request'],
  ])('of the scenario %s (at %d of its size) %s', async (name, scale) => {
    const report = await scenarios[name]?.run({ seed: 1, scale });
    const never = Object.entries(report?.gates ?? {}).filter(([, { atMost }]) => atMost === 0);
    expect(never.length).toBeGreaterThan(0);
    expect(Object.fromEntries(never.map(([figure]) => [figure, report?.figures[figure]]))).toEqual(
      Object.fromEntries(never.map(([figure]) => [figure, 0])),
    );
    expect(report?.examples).toEqual([]);
  });
});
