/** The delivery engine in bad weather, in a simulated world: none lost, none delivered again (`npm run simulate` for many). */
import { describe, expect, it, vi } from 'vitest';

vi.mock('@aws-sdk/client-sqs', () => import('../support/simulation/sqs.ts'));
vi.mock('../../shared/table/client.ts', () => import('../support/simulation/dynamodb.ts'));
vi.mock('../../shared/deliveries/sender/send.ts', () => import('../support/simulation/receivers.ts'));
vi.mock('../../shared/aws/log.ts', () => import('../support/simulation/log.ts'));
const { storm } = await import('./storm.ts');

describe('deliveries while runs die, messages are doubled, the table throttles and is gone, and receivers fail', () => {
  it.each([7, 1848, 20_261_121])(
    'arrive all, and none after its success was recorded (seed %i)',
    async (seed) => {
      const report = await storm({
        seed,
        deliveries: 800,
        killed: 0.1,
        doubled: 0.05,
        throttled: 0.05,
        failing: 0.1,
        outageMinutes: 40,
      });
      expect(report).toMatchObject({ deliveries: 800, lost: 0, again: 0, examples: [] });
      // It was bad indeed.
      expect(report.killed / report.runs).toBeGreaterThan(0.08);
      expect(report.redriven).toBeGreaterThan(0);
      expect(report.posts).toBeGreaterThan(report.deliveries);
    },
    30_000,
  );
});
