/** The integration in the examples of the OpenAPI document, its keys and its Ghost site. */
import { exampleOf } from '../foundation/example-of.ts';
import { apiKeyResource, integrationResource } from './integration.ts';

const id = '019acb4c2d10a1b2c3d4e5f6';
export const path = { id };
const at = '2026-11-21T09:00:00.000Z';
export const shop = exampleOf(integrationResource, { id, created_at: at, updated_at: at });

const keyId = '019acb4c2d10f0e1d2c3b4a5';
export const key = exampleOf(apiKeyResource, { id: keyId, integration_id: id, created_at: at, updated_at: at });
export const keyPath = { id, key_id: keyId };
/** What a key is limited to. */
export const limits = { scopes: ['publish' as const], valid_until: '2099-11-21T09:00:00.000Z' };
export const keySecret = `${keyId}:${'c0'.repeat(32)}`;
export const newKey = {
  ...key,
  id: '019acb4e8a20f0e1d2c3b4a5',
  secret: `019acb4e8a20f0e1d2c3b4a5:${'5e'.repeat(32)}`,
};

export const renamed = { ...shop, name: 'Bookshop & Café', can_publish: true, updated_at: '2026-11-21T09:05:00.000Z' };

export const relay = {
  integration_id: id,
  site: renamed.name,
  last_event_at: '2026-11-21T09:30:00.000Z',
  events_per_day: 0.1,
  refused: [{ reason: 'signature_missing', count: 1, last_at: '2026-11-21T09:20:00.000Z' }],
  silent_since: null,
  compared_at: null,
  unmoved: [],
};
