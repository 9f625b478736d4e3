/** The webhook in the examples of the OpenAPI document. */
import { exampleOf } from '../foundation/example-of.ts';
import { failure } from '../http/documentation.ts';
import { webhookResource } from './webhook.ts';

const ofHook = {
  id: '019acb5130f4a1b2c3d4e5f6',
  integration_id: '019acb4c2d10a1b2c3d4e5f6',
  status: 'available',
  created_at: '2026-11-21T09:10:00.000Z',
  updated_at: '2026-11-21T09:10:00.000Z',
};
export const hook = { ...exampleOf(webhookResource, ofHook), ...ofHook };
export const path = { id: hook.id };

const { event, target_url, name, integration_id } = exampleOf(webhookResource, ofHook);
export const sent = { event, target_url, name, integration_id };

/** After an update. */
export const changed = { ...hook, name: null, api_version: 'v5', updated_at: '2026-11-21T09:12:00.000Z' };

export const noOptions = {
  description: null,
  headers: {},
  format: { type: 'ghost' },
  filter: null,
  debounce: null,
  throttle: null,
  left_out: 0,
};

export const publicNews = { post: { current: { visibility: ['public'], tags: { slug: ['news'] } } } };

export const duplicate = failure(
  'ValidationError',
  'another webhook has one of these names of events and this target_url, compared case-insensitively across all ' +
    'integrations; `details` has its id as `limit` if the caller can manage it',
);
