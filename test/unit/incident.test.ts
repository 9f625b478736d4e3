/** Which failing webhooks are one incident: the rule that overview, lists, mails and command line share. */
import { describe, expect, it } from 'vitest';
import { failureOf, incidentsOf } from '../../shared/incidents/incident.ts';
import { presentListed } from '../../shared/webhooks/declined.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { failingWebhook } from '../support/notice.ts';

const webhook = (changes: Partial<Webhook> = {}) => presentListed(failingWebhook(changes));
const healthy = () => {
  const { failing_since: _, ...rest } = failingWebhook({ last_triggered_status: '200', last_triggered_error: null });
  return presentListed(rest);
};
const failed = (last_triggered_status: string | null, last_triggered_error = 'status') =>
  webhook({ last_triggered_status, last_triggered_error });

describe('the cause of a failing webhook', () => {
  it.each([
    [failed(null, 'dns'), 'unreachable', 'dns'],
    [failed(null, 'connect'), 'unreachable', 'connect'],
    [failed(null, 'tls_expired'), 'unreachable', 'tls_expired'],
    [failed(null, 'timeout'), 'unreachable', 'timeout'],
    [failed('503'), 'unreachable', 'server'],
    [failed('401'), 'refused', 'credentials'],
    [failed('403'), 'refused', 'credentials'],
    [failed('404'), 'gone', 'address'],
    [failed('410'), 'gone', 'gone'],
    [failed('400'), 'rejected', 'refused'],
    [failed('405'), 'rejected', 'address'],
    [failed('302'), 'rejected', 'redirect'],
    [failed('429'), 'too_many', 'pause'],
  ] as const)('is found from its last attempt, with what helps (%#)', (one, cause, advice) => {
    expect(failureOf(one)).toEqual({
      host: 'hooks.bookshop.example',
      cause,
      advice,
      since: '2026-11-21T09:24:00.000Z',
    });
  });

  it('is that it is gone if its receiver has declined it, whatever its status was', () => {
    const declined = { declined_at: '2026-11-26T10:12:00.000Z', declined_with: '200 no more' };
    const { failing_since: _, ...record } = failingWebhook({
      ...declined,
      status: 'disabled',
      disabled_for: 'receiver',
      last_triggered_status: '200',
      last_triggered_error: null,
    });
    expect(failureOf(presentListed(record))).toMatchObject({
      cause: 'gone',
      advice: 'gone',
      since: declined.declined_at,
    });
  });

  it('stays while it is disabled for its failures, and there is none once somebody has disabled it', () => {
    expect(failureOf(webhook({ status: 'disabled', disabled_for: 'failing' }))).toMatchObject({ cause: 'unreachable' });
    const { failing_since: _, ...byHand } = failingWebhook({ status: 'disabled', disabled_for: 'staff' });
    expect(failureOf(presentListed(byHand))).toBeUndefined();
  });

  it('does not exist for a webhook that works, or was never used', () => {
    expect(failureOf(healthy())).toBeUndefined();
    expect(failureOf({ ...healthy(), last_triggered_at: null, last_triggered_status: null })).toBeUndefined();
  });

  it('begins with the last attempt after somebody has enabled the webhook', () => {
    const { failing_since: _, ...enabled } = failingWebhook();
    expect(failureOf(presentListed(enabled))).toMatchObject({ since: '2026-11-26T10:12:00.000Z' });
  });
});

describe('incidents', () => {
  const at = (id: string, target_url: string, changes: Partial<Webhook> = {}) => ({
    ...webhook({ target_url, ...changes }),
    id: id as Webhook['id'],
  });

  it('join webhooks with the same host and cause, whatever their errors and paths', () => {
    const incidents = incidentsOf([
      at('a', 'https://one.example/x', { failing_since: '2026-11-22T00:00:00.000Z' }),
      at('b', 'https://two.example/x'),
      at('c', 'https://one.example/y', { last_triggered_status: null, last_triggered_error: 'timeout' }),
      at('d', 'https://one.example:8443/x'),
      at('e', 'https://one.example/z', { last_triggered_status: '401' }),
      at('f', 'https://one.example/w', { last_triggered_status: null, last_triggered_error: 'timeout' }),
      healthy(),
    ]);
    expect(incidents.map(({ host, cause, webhooks }) => [host, cause, webhooks.map(({ id }) => id).join('')])).toEqual([
      ['one.example', 'unreachable', 'cfa'],
      ['two.example', 'unreachable', 'b'],
      ['one.example:8443', 'unreachable', 'd'],
      ['one.example', 'refused', 'e'],
    ]);
    expect(incidents[0]).toMatchObject({ since: '2026-11-21T09:24:00.000Z', advice: 'timeout' });
  });

  it('are none if nothing fails', () => {
    expect(incidentsOf([healthy()])).toEqual([]);
  });
});
