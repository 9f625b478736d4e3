/** The sentences of the audit log, in both languages. */
import { expect, it } from 'vitest';
import { sentenceOf } from '../../infra/ops/commands/columns.ts';
import { auditActions } from '../../shared/audit/actions.ts';
import { english, withoutNames } from '../../shared/audit/sentences.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { audit } from '../../web/console/texts/audit.ts';

const entry = {
  id: '019acb5e0b10a1b2c3d4e5f6',
  at: '2026-11-21T09:25:00.000Z',
  actor: { type: 'staff', id: 'b6b2d9f0a1c3e5d7f9081726', name: 'Olive Owner' },
  action: 'webhook.created',
  target: {
    type: 'webhook',
    id: '019acb5e0a10a1b2c3d4e5f6',
    name: 'Stale 7',
    integration: { id: '019acb4c2d10a1b2c3d4e5f6' as IntegrationId, name: 'Old CRM' },
  },
  changes: {},
} as never as Parameters<typeof sentenceOf>[0];

it('an entry says who did what to whom', () => {
  expect(sentenceOf(entry)).toBe('Olive Owner created the webhook Stale 7 for Old CRM');
  const automatic = {
    ...entry,
    actor: { type: 'masthead', id: null, name: null },
    action: 'webhook.disabled',
  } as const;
  expect(sentenceOf(automatic)).toBe('Masthead disabled the webhook Stale 7 of Old CRM');
});

it('an entry about what was deleted says so', () => {
  const { integration: _, ...target } = entry.target;
  expect(sentenceOf({ ...entry, actor: { type: 'integration', id: 'x', name: null }, target })).toBe(
    'A deleted integration created the webhook Stale 7 for a deleted integration',
  );
});

it.each([
  ['en', english],
  ['de', audit.de.sentences],
])('in %s every sentence names what it is about, and a webhook its integration', (_language, sentences) => {
  for (const action of auditActions) {
    const places = [...sentences[action].matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
    expect(places, action).toContain('what');
    expect(places.includes('of'), action).toBe(action.startsWith('webhook.'));
    expect(withoutNames(sentences[action]), action).toMatch(/^\p{L}|^…/u);
  }
});
