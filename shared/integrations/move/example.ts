/** The move in the examples of the OpenAPI document. */
import { path } from '../example.ts';

export const site = { site: 'f0c2a9d4-6b1e-4c58-9d3a-7e5f1b2c4d68' };

const integration = {
  id: '6571b3f0c1a2e3d4f5061728',
  name: 'Shop',
  description: null,
  copy_id: path.id,
  restored_id: null,
};
const original = {
  id: '6571b3f0c1a2e3d4f5061729',
  integration_id: integration.id,
  event: 'post.published',
  target_url: 'https://hooks.bookshop.example/posts',
  name: null,
  api_version: 'v6.65',
  removed: false,
  copy_id: null,
};
const head = { from: 'https://blog.example', to: 'https://api.example.com/ghost/api' };
export const secret = { id: original.id, secret: 'a secret of the receiver' };

export const started = {
  revision: 0,
  ...head,
  integrations: [integration],
  originals: [{ ...original, secret: secret.secret }],
};

export const move = {
  ...site,
  ...head,
  receiver_id: null,
  relay_id: null,
  relays: [],
  proven_at: null,
  revision: 1,
  inbound_hint: null,
  integrations: [integration],
  originals: [{ ...original, secret_hint: 'f4f7', copy_secret_hint: null }],
  failures: [],
  updated_at: '2026-11-21T09:30:00.000Z',
};
