/** The OpenAPI texts of integrations and their keys. */
import * as v from 'valibot';
import { apiKeyResource, integrationResource } from '../../../../shared/integrations/integration.ts';
import { integrationChanges, newIntegration } from '../../../../shared/integrations/schema.ts';
import { exampleOf } from '../example-of.ts';
import type { Operation, QueryParameter } from '../operation.ts';
import { errorAnswer, forbidden, notFound, otherId } from './errors.ts';
import { cursor, invalidCursor, invalidLimit, limit } from './paging.ts';

const resource = 'Integrations';

const include: QueryParameter = {
  schema: v.pipe(v.string(), v.metadata({ examples: ['webhooks', 'api_keys', 'webhooks,api_keys'] })),
  description: 'What to include: `webhooks`, `api_keys`, or both, separated by a comma.',
};

const unknown = notFound('no integration has this id');

const id = '019acb4c2d10a1b2c3d4e5f6';
const at = '2026-11-21T09:00:00.000Z';
const shop = exampleOf(integrationResource, { id, created_at: at, updated_at: at });

const keyId = '019acb4c2d10f0e1d2c3b4a5';
const key = exampleOf(apiKeyResource, { id: keyId, integration_id: id, created_at: at, updated_at: at });
const newKey = {
  ...key,
  id: '019acb4e8a20f0e1d2c3b4a5',
  secret: `019acb4e8a20f0e1d2c3b4a5:${'5e'.repeat(32)}`,
};

const renamed = { ...shop, name: 'Bookshop & Café', can_publish: true, updated_at: '2026-11-21T09:05:00.000Z' };

export const integrations = {
  'integrations/create': {
    resource,
    summary: 'Create an integration',
    description: 'Also creates its first key, whose secret is not returned again: store it.',
    query: { include },
    body: { root: 'integrations', item: newIntegration, max: 1 },
    answer: { status: 201, root: 'integrations', item: integrationResource, location: 'The URL of the integration.' },
    examples: {
      create: {
        summary: 'An integration whose contact is notified of failing webhooks',
        caller: 'Owner',
        body: {
          integrations: [
            { name: shop.name, description: shop.description, contact_email: shop.contact_email, can_publish: false },
          ],
        },
        status: 201,
        answer: { integrations: [{ ...shop, api_keys: [{ ...key, secret: `${keyId}:${'c0'.repeat(32)}` }] }] },
      },
      'not-allowed': {
        summary: 'The key of an integration cannot manage integrations',
        caller: 'integration',
        body: { integrations: [{ name: 'Another' }] },
        status: 403,
        answer: errorAnswer('NoPermissionError', 'The key of an integration cannot use this endpoint.', {
          help: 'Allowed callers: the Owner, Administrators.',
        }),
      },
    },
  },
  'integrations/list': {
    resource,
    summary: 'List the integrations',
    description:
      'With `include=webhooks` each has its newest 500 webhooks, and a page ends early before it becomes too large. Read an integration by its id for all its webhooks, page by page.',
    query: { include, limit: limit(100), cursor },
    answer: { status: 200, root: 'integrations', item: integrationResource, pages: 'always' },
    errors: [invalidLimit, invalidCursor],
    examples: {
      'first-page': {
        summary: 'The first page, with one item',
        caller: 'Owner',
        query: { limit: '1' },
        status: 200,
        answer: {
          integrations: [shop],
          meta: { pagination: { limit: 1, next: 'WyJpbnRlZ3JhdGlvbnMiLCIwMTlhY2I0YzJkMTBhMWIyYzNkNGU1ZjYiXQ' } },
        },
      },
      'wrong-limit': {
        summary: 'A limit that is too large',
        caller: 'Owner',
        query: { limit: '1000' },
        status: 422,
        answer: errorAnswer('ValidationError', '`limit=1000` must be a number from 1 to 100.', {
          details: [
            { index: null, field: 'limit', rule: 'max_value', limit: 100, received: 'a string of 4 characters' },
          ],
          property: 'limit',
          help: 'Omit `limit`, or send a smaller number and follow `meta.pagination.next`.',
        }),
      },
    },
  },
  'integrations/read': {
    resource,
    summary: 'Get an integration',
    description:
      'With `include=webhooks`, its webhooks come in pages of 500, newest first; `meta` has the next page. The key of an integration can read its own integration, whose id every webhook has.',
    query: { include, cursor },
    answer: { status: 200, root: 'integrations', item: integrationResource, pages: 'sometimes' },
    errors: [unknown, forbidden('the key belongs to another integration'), invalidCursor],
    examples: {
      plain: {
        summary: 'The integration alone',
        caller: 'Owner',
        path: { id },
        status: 200,
        answer: { integrations: [shop] },
      },
      'with-keys-and-webhooks': {
        summary: 'With its keys and webhooks',
        caller: 'Owner',
        path: { id },
        query: { include: 'webhooks,api_keys' },
        status: 200,
        answer: {
          integrations: [{ ...shop, webhooks: [], api_keys: [key] }],
          meta: { pagination: { limit: 500, next: null } },
        },
      },
    },
  },
  'integrations/update': {
    resource,
    summary: 'Update an integration',
    description: 'Omitted fields keep their values.',
    query: { include },
    body: { root: 'integrations', item: integrationChanges, max: 1 },
    answer: { status: 200, root: 'integrations', item: integrationResource },
    errors: [unknown, otherId],
    examples: {
      rename: {
        summary: 'A new name, and the permission to publish events',
        caller: 'Owner',
        path: { id },
        body: { integrations: [{ name: renamed.name, can_publish: true }] },
        status: 200,
        answer: { integrations: [renamed] },
      },
    },
  },
  'integrations/refresh-key': {
    resource,
    summary: 'Replace a key of an integration',
    description:
      'For a key that is lost or was leaked. The old key is invalid at once, except in environments that have cached it, for at most a minute. The new secret is not returned again. No body is required.',
    answer: { status: 200, root: 'integrations', item: integrationResource },
    errors: [notFound('no integration has this id, or it has no such key')],
    examples: {
      refresh: {
        summary: 'The key was lost',
        caller: 'Owner',
        path: { id, key_id: keyId },
        body: { integrations: [{ id }] },
        status: 200,
        answer: { integrations: [{ ...renamed, api_keys: [newKey] }] },
      },
    },
  },
  'integrations/delete': {
    resource,
    summary: 'Delete an integration',
    description:
      'Its keys are invalid at once. Its webhooks are deleted with it; of thousands, the last ones within minutes after the response.',
    answer: { status: 204 },
    errors: [unknown],
    examples: {
      delete: { summary: 'With its keys and webhooks', caller: 'Owner', path: { id }, status: 204 },
      'delete-again': {
        summary: 'A deleted integration',
        caller: 'Owner',
        path: { id },
        status: 404,
        answer: errorAnswer('NotFoundError', `No integration has the id \`${id}\`.`, {
          help: 'GET /admin/integrations/ lists them.',
        }),
      },
    },
  },
} satisfies Record<string, Operation>;
