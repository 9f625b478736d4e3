/** The mailer under faults: 200 invites at 14 mails a second, while SES throttles and workers are killed anywhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';
import { linkWorks, runWorld, type World } from '../../test/support/mailer-world.ts';

const mailsOf = (world: World) => {
  const counts = new Map<string, number>();
  for (const { invite } of world.mails) counts.set(invite, (counts.get(invite) ?? 0) + 1);
  return [...world.invites.keys()].map((id) => counts.get(id) ?? 0);
};

const twoHundred = { invites: 200, perSecond: 14 } as const;

describe('200 invites, at 14 mails a second,', () => {
  it('are mailed once each within 16 seconds, and at most 14 in any second', async () => {
    const world = await runWorld({ ...twoHundred, random: randomNumbers(1) });
    expect(mailsOf(world)).toEqual(Array(200).fill(1));
    expect(world.tooMany).toBe(0);
    expect(world.endedAt).toBeLessThan(17_000);
    expect(world.mails.every((mail) => linkWorks(world, mail))).toBe(true);
  });

  it('are never mailed faster, even if the machine stalls and many mails are due at once', async () => {
    const world = await runWorld({ ...twoHundred, random: randomNumbers(4), pause: 0.1 });
    expect(mailsOf(world)).toEqual(Array(200).fill(1));
    expect(world.tooMany).toBe(0);
  });

  it('are mailed once each if SES throttles one in three and messages are duplicated', async () => {
    const world = await runWorld({ ...twoHundred, random: randomNumbers(2), throttle: 0.33, duplicate: 0.5 });
    expect(mailsOf(world)).toEqual(Array(200).fill(1));
    expect(world.deadLetters).toBe(0);
    expect(world.mails.every((mail) => linkWorks(world, mail))).toBe(true);
  });

  it('are mailed once each if SES throttles nine in ten, because waiting uses up no retries', async () => {
    const world = await runWorld({ ...twoHundred, random: randomNumbers(3), throttle: 0.9 });
    expect(mailsOf(world)).toEqual(Array(200).fill(1));
    expect(world.deadLetters).toBe(0);
  });

  it('are mailed again only if a worker is killed between SES and its record', async () => {
    let kills = 0;
    let between = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.double({ min: 0.1, max: 0.6, noNaN: true }), async (seed, kill) => {
        const world = await runWorld({
          ...twoHundred,
          random: randomNumbers(seed),
          kill,
          throttle: 0.1,
          duplicate: 0.05,
        });
        const counts = mailsOf(world);
        [...world.invites.keys()].forEach((id, position) => {
          expect(counts[position], `mails for ${id}`).toBeGreaterThanOrEqual(1);
          expect(counts[position], `mails for ${id}`).toBeLessThanOrEqual(1 + (world.diedBetween.get(id) ?? 0));
        });
        expect(world.mails.filter((mail) => !linkWorks(world, mail))).toEqual([]);
        expect([...world.invites.values()].every(({ status }) => status === 'sent')).toBe(true);
        kills += world.kills;
        between += [...world.diedBetween.values()].reduce((sum, times) => sum + times, 0);
      }),
      { numRuns: 25 },
    );
    // The test proves something only if such kills occurred.
    expect(kills).toBeGreaterThan(20);
    expect(between).toBeGreaterThan(0);
  });
});
