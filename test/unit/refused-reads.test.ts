/** Wrong signatures cause a limited number of reads per second, and never delay a right one. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { boundedReader } from '../../shared/integrations/refused-reads.ts';

const id = 'a'.repeat(24) as IntegrationId;
const other = 'b'.repeat(24) as IntegrationId;
const now = Date.parse('2026-11-24T10:00:00Z');

describe('one Lambda instance', () => {
  let reads: number;
  let secret: string;
  let judged: ReturnType<typeof boundedReader<string>>;
  beforeEach(() => {
    reads = 0;
    secret = 'right';
    judged = boundedReader(async () => {
      reads += 1;
      return secret;
    });
  });
  const send = (signedWith: string, at = now, to = id) =>
    judged(to, at, (stored) => (stored === signedWith ? 'accepted' : undefined));
  const flood = async (requests: number, at = now) => {
    for (let sent = 0; sent < requests; sent += 1) expect(await send('guessed', at)).toBeUndefined();
  };

  it('reads ten times a second at most, for a thousand wrong signatures', async () => {
    await flood(1000);
    expect(reads).toBe(10);
    await flood(1000, now + 1000);
    expect(reads).toBe(20);
  });

  it('accepts a right signature during a flood after one more read', async () => {
    await flood(1000);
    expect(await send('right')).toBe('accepted');
    expect(reads).toBe(11);
  });

  it('refuses a replaced secret even during a flood', async () => {
    await flood(1000);
    secret = 'replaced';
    expect(await send('right')).toBeUndefined();
  });

  it('accepts a new secret at once, and within a second during a flood', async () => {
    await flood(9);
    secret = 'replaced';
    expect(await send('replaced')).toBe('accepted');
    await flood(1000);
    secret = 'replaced again';
    expect(await send('replaced again', now + 1000)).toBe('accepted');
  });

  it('counts the reads for each integration separately', async () => {
    await flood(1000);
    expect(await send('guessed', now, other)).toBeUndefined();
    expect(reads).toBe(11);
  });

  it('remembers at most a thousand integrations, and forgets the oldest', async () => {
    await flood(10);
    for (let one = 0; one < 1000; one += 1)
      await send('guessed', now, one.toString(16).padStart(24, '0') as IntegrationId);
    const before = reads;
    await flood(1);
    expect(reads).toBe(before + 1);
  });
});
