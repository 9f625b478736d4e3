/** The return of an integration's slow webhooks to the normal lane: how many return, and when. */
import { describe, expect, it } from 'vitest';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { minute, now, second } from '../support/deliver-in-memory.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { takeReturn } = await import('../../shared/webhooks/lane-returns.ts');

const integration = 'b'.repeat(24) as IntegrationId;
const key = { pk: `WEBHOOK#${integration}`, sk: 'RETURNS' };
const hour = 60 * minute;

/** Asks at each time whether a webhook may return, and lists the times at which one did. */
const returnsAt = async (times: readonly number[]): Promise<number[]> => {
  const returned: number[] = [];
  for (const at of times) if ((await takeReturn(integration, at)) === at) returned.push(at);
  return returned;
};

describe('the slow webhooks of an integration', () => {
  it('return ten seconds apart', async () => {
    expect(await takeReturn(integration, now)).toBe(now);
    expect(await takeReturn(integration, now + 1)).toBe(now + 10 * second);
    expect(await takeReturn(integration, now + 10 * second - 1)).toBe(now + 10 * second);
    expect(await takeReturn(integration, now + 10 * second)).toBe(now + 10 * second);
  });

  it('return at most ten times an hour, so that few can hang together', async () => {
    const returned = await returnsAt(Array.from({ length: 180 }, (_, at) => now + at * minute));
    expect(returned).toHaveLength(30);
    for (const from of returned)
      expect(returned.filter((at) => at >= from && at < from + hour).length).toBeLessThanOrEqual(10);
  });

  it('cannot reserve a return: each asks again later, and the first to ask returns', async () => {
    await takeReturn(integration, now);
    for (let asked = 0; asked < 150; asked++) await takeReturn(integration, now + second);
    expect(await takeReturn(integration, now + 10 * second)).toBe(now + 10 * second);
  });

  it('do not affect the webhooks of another integration', async () => {
    await takeReturn(integration, now);
    expect(await takeReturn('c'.repeat(24) as IntegrationId, now)).toBe(now);
  });

  it('never return at the same time, even if two ask at the same time', async () => {
    const answers = await Promise.all([takeReturn(integration, now), takeReturn(integration, now)]);
    expect(answers.toSorted()).toEqual([now, now + 10 * second]);
    expect(aws.read(key).returned).toEqual([now]);
  });

  it('ask again ten seconds later after twenty lost races', async () => {
    let rivals = 0;
    aws.before('UpdateCommand', () => aws.put(key, { returned: [now - minute - rivals++] }));
    expect(await takeReturn(integration, now)).toBe(now + 10 * second);
    expect(rivals).toBe(20);
  });

  it('leave an item that expires a day after the last return', async () => {
    await takeReturn(integration, now);
    expect(aws.read(key).expires_at).toBe(Math.floor((now + 24 * hour) / second));
  });
});
