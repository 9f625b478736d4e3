/** A webhook that keeps failing: what its record shows, when its owners get a notice, and when it is disabled. */
import { describe, expect, it } from 'vitest';
import { failingAttributes, type Outcome, recovered, stepAfter } from '../../shared/webhooks/failing.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { failingWebhook } from '../support/notice.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const since = Date.parse('2026-11-21T09:00:00.000Z');
const iso = (at: number): string => new Date(at).toISOString();
const failure = (at: number): Outcome => ({ ok: false, at, status: '503', error: 'status' });
const success = (at: number): Outcome => ({ ok: true, at, status: '200', error: null });
const shown = (at: number, { status, error }: Outcome) => ({
  last_triggered_at: iso(at),
  last_triggered_status: status,
  last_triggered_error: error,
});
const healthy = ({ at, status, error }: Outcome): Webhook => {
  const { failing_since: _, ...webhook } = failingWebhook();
  return { ...webhook, last_triggered_at: iso(at), last_triggered_status: status, last_triggered_error: error };
};
const failing = (changes: Partial<Webhook> = {}): Webhook => ({
  ...healthy(failure(since)),
  failing_since: iso(since),
  ...changes,
});
const changesBy = (webhook: Webhook, outcome: Outcome) => stepAfter(webhook, outcome, 5);

describe('a failure', () => {
  it('starts the period of failures', () => {
    expect(changesBy(healthy(success(since)), failure(since + 5))).toEqual({
      set: { ...shown(since + 5, failure(0)), failing_since: iso(since + 5) },
    });
  });

  it('is recorded at most once a minute, unless its status or error is new', () => {
    expect(changesBy(failing(), failure(since + minute - 1))).toBeUndefined();
    expect(changesBy(failing(), failure(since + minute))).toEqual({ set: shown(since + minute, failure(0)) });
    const other = [
      { ...failure(since + 1), status: '500' },
      { ...failure(since + 1), error: 'timeout' },
    ];
    for (const outcome of other) expect(changesBy(failing(), outcome)).toEqual({ set: shown(since + 1, outcome) });
    expect(changesBy(failing({ last_triggered_at: null }), failure(since + 1))).toEqual({
      set: shown(since + 1, failure(0)),
    });
  });

  it('sends one notice to the owners after half an hour of failures', () => {
    const at = since + 30 * minute;
    expect(changesBy(failing(), failure(at - 1))).toEqual({ set: shown(at - 1, failure(0)) });
    expect(changesBy(failing(), failure(at))).toEqual({
      set: { ...shown(at, failure(0)), warned_at: iso(at) },
      notice: 'failing',
      event: { name: 'webhook.failing', reason: null },
    });
    expect(changesBy(failing({ warned_at: iso(at) }), failure(at))).toEqual({ set: shown(at, failure(0)) });
  });

  it('disables an available webhook after five days of failures', () => {
    const at = since + 5 * day;
    const warned = failing({ warned_at: iso(since + 30 * minute) });
    expect(changesBy(warned, failure(at - 1))).toEqual({ set: shown(at - 1, failure(0)) });
    expect(changesBy(warned, failure(at))).toEqual({
      set: { ...shown(at, failure(0)), status: 'disabled', disabled_for: 'failing' },
      notice: 'disabled',
      event: { name: 'webhook.disabled', reason: 'failing' },
    });
    expect(changesBy({ ...warned, status: 'disabled' }, failure(at))).toEqual({ set: shown(at, failure(0)) });
  });
});

describe('a success', () => {
  it.each([
    ['healthy', healthy(success(since))],
    ['new', { ...healthy(success(since)), last_triggered_at: null, created_at: iso(since) }],
  ])('of a %s webhook is recorded once a day, whatever its status', (_, webhook) => {
    const other = { ...success(since + day - 1), status: '204' };
    expect(changesBy(webhook, other)).toBeUndefined();
    expect(changesBy(webhook, success(since + day))).toEqual({ set: shown(since + day, success(0)) });
  });

  it('replaces the failure that is still recorded after a change of the target URL', () => {
    expect(changesBy(healthy(failure(since)), success(since + 1))).toEqual({
      set: shown(since + 1, success(0)),
      notice: 'recovered',
    });
  });

  it('ends the period of failures', () => {
    expect(changesBy(failing(), success(since + 1))).toEqual({
      set: shown(since + 1, success(0)),
      remove: failingAttributes,
    });
  });

  it('is announced if the failures were announced', () => {
    expect(changesBy(failing({ warned_at: iso(since) }), success(since + 1))).toEqual({
      set: shown(since + 1, success(0)),
      remove: failingAttributes,
      event: { name: 'webhook.recovered', reason: null },
      notice: 'recovered',
    });
  });

  it('does not enable a webhook that has been disabled', () => {
    expect(changesBy(failing({ status: 'disabled' }), success(since + 1))).toBeUndefined();
  });
});

describe('a recovery', () => {
  it('is announced if the webhook was disabled or its owners got a notice', () => {
    const event = { name: 'webhook.recovered', reason: null };
    expect(recovered(failing({ status: 'disabled' }))).toEqual({ event });
    expect(recovered(failing({ warned_at: iso(since) }))).toEqual({ event });
    expect(recovered(failing())).toEqual({});
  });
});
