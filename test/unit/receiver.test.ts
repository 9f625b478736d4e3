/** What attempts teach about a receiver: when its breaker opens, and how long the fast lane waits for it. */
import { describe, expect, it } from 'vitest';
import { fastDeadlineMs, newReceiver, type Observation, observe } from '../../shared/deliveries/receivers/receiver.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const failed: Observation = { outcome: 'failed', durationMs: 20, hung: false, slowDownMs: 0, isProbe: false };
const hung: Observation = { ...failed, durationMs: 200, hung: true };
const answered: Observation = { ...failed, outcome: 'answered' };
const taught = (...observations: readonly Observation[]) =>
  observe(newReceiver('https://receiver.example'), observations, now);

describe('the breaker', () => {
  it('opens with the fifth failure in a row', () => {
    expect(taught(failed, failed, failed, failed).open_until).toBe(0);
    expect(taught(failed, failed, failed, failed, failed).open_until).toBe(now + 10_000);
  });

  it('opens with the third that kept us waiting until the deadline, however short that was', () => {
    expect(taught(hung, hung).open_until).toBe(0);
    expect(taught(hung, hung, hung).open_until).toBe(now + 10_000);
  });

  it('stays closed where an answer came in between', () => {
    expect(taught(hung, hung, answered, hung, hung).open_until).toBe(0);
  });
});

describe('the deadline in the fast lane', () => {
  it.each([
    [5, 200, 'what a healthy server may pause'],
    [50, 300, 'six times the usual'],
    [500, 2000, 'what the stage allows at most'],
  ])('of a receiver that usually takes %i ms is %i ms: %s', (usual_ms, deadline) => {
    expect(fastDeadlineMs({ ...newReceiver('https://receiver.example'), usual_ms }, 2000)).toBe(deadline);
  });
});
