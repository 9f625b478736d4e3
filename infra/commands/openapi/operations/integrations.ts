/** What the OpenAPI document says of integrations and their keys. */
import * as v from 'valibot';
import { integrationResource } from '../../../../shared/integrations/integration.ts';
import { integrationChanges, newIntegration } from '../../../../shared/integrations/schema.ts';
import type { ErrorCase, Operation, QueryParameter } from '../operation.ts';
import { errorAnswer } from './error-answer.ts';
import { cursor, limit } from './paging.ts';

const resource = 'Integrations';

const include: QueryParameter = {
  schema: v.pipe(v.string(), v.metadata({ examples: ['webhooks', 'api_keys', 'webhooks,api_keys'] })),
  description: 'What to show with each: `webhooks`, `api_keys`, or both, with a comma between them.',
};

const unknown: ErrorCase = { status: 404, type: 'NotFoundError', when: 'no integration has this id' };

const shop = {
  id: '019acb4c2d10a1b2c3d4e5f6',
  type: 'custom',
  name: 'Bookshop',
  slug: 'bookshop',
  icon_image: null,
  description: 'Sells what we review',
  contact_email: 'ops@bookshop.example',
  can_publish: false,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const key = {
  id: '019acb4c2d10f0e1d2c3b4a5',
  type: 'admin',
  secret: null,
  integration_id: shop.id,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

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
    description: 'It gets its first key with it. The secret is in this answer and nowhere else: keep it.',
    query: { include },
    body: { root: 'integrations', item: newIntegration, max: 1 },
    answer: { status: 201, root: 'integrations', item: integrationResource, location: 'Where the integration is.' },
    examples: {
      create: {
        summary: 'An integration whose owner is told when its webhooks fail',
        caller: 'Owner',
        body: {
          integrations: [
            { name: shop.name, description: shop.description, contact_email: shop.contact_email, can_publish: false },
          ],
        },
        status: 201,
        answer: { integrations: [{ ...shop, api_keys: [{ ...key, secret: `${key.id}:${'c0'.repeat(32)}` }] }] },
      },
      'not-allowed': {
        summary: "An integration's key may not manage integrations",
        caller: 'integration',
        body: { integrations: [{ name: 'Another' }] },
        status: 403,
        answer: errorAnswer('NoPermissionError', "An integration's key may not do this.", {
          help: 'This is for: the Owner, Administrators.',
        }),
      },
    },
  },
  'integrations/list': {
    resource,
    summary: 'List the integrations',
    description:
      'With `include=webhooks` each shows its newest 500, and a page ends early when it would become too large; all webhooks of one integration are shown, page by page, where it is read by its id.',
    query: { include, limit: limit(100), cursor },
    answer: { status: 200, root: 'integrations', item: integrationResource, pages: 'always' },
    errors: [
      {
        status: 422,
        type: 'ValidationError',
        property: 'limit',
        when: '`limit` is not a number from 1 to 100, or `all`',
      },
      { status: 422, type: 'ValidationError', property: 'cursor', when: '`cursor` was not given for this list' },
    ],
    examples: {
      'first-page': {
        summary: 'The first page, of one',
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
        answer: errorAnswer('ValidationError', '`limit=1000` is not a number from 1 to 100.', {
          details: [
            { index: null, field: 'limit', rule: 'max_value', limit: 100, received: 'a string of 4 characters' },
          ],
          property: 'limit',
          help: 'Leave it out, or send a smaller number and follow `meta.pagination.next`.',
        }),
      },
    },
  },
  'integrations/read': {
    resource,
    summary: 'Show an integration',
    description:
      'With `include=webhooks` its webhooks come in pages of 500, newest first, and `meta` leads to the next.',
    query: { include, cursor },
    answer: { status: 200, root: 'integrations', item: integrationResource, pages: 'sometimes' },
    errors: [
      unknown,
      { status: 422, type: 'ValidationError', property: 'cursor', when: '`cursor` was not given for this list' },
    ],
    examples: {
      plain: {
        summary: 'The integration alone',
        caller: 'Owner',
        path: { id: shop.id },
        status: 200,
        answer: { integrations: [shop] },
      },
      'with-keys-and-webhooks': {
        summary: 'With its keys and webhooks',
        caller: 'Owner',
        path: { id: shop.id },
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
    summary: 'Change an integration',
    description: 'Fields that are not sent keep their values.',
    query: { include },
    body: { root: 'integrations', item: integrationChanges, max: 1 },
    answer: { status: 200, root: 'integrations', item: integrationResource },
    errors: [
      unknown,
      { status: 400, type: 'BadRequestError', property: 'id', when: 'the `id` of the item is not the one in the path' },
    ],
    examples: {
      rename: {
        summary: 'A new name, and the right to publish events',
        caller: 'Owner',
        path: { id: shop.id },
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
      'For a key that is lost or known to others. The old one is dead at once, save for environments that remember it, for a minute at most. The new secret is in this answer and nowhere else. No body is needed.',
    answer: { status: 200, root: 'integrations', item: integrationResource },
    errors: [{ ...unknown, when: 'no integration has this id, or it has no such key (any more)' }],
    examples: {
      refresh: {
        summary: 'A new key for a lost one',
        caller: 'Owner',
        path: { id: shop.id, key_id: key.id },
        body: { integrations: [{ id: shop.id }] },
        status: 200,
        answer: { integrations: [{ ...renamed, api_keys: [newKey] }] },
      },
    },
  },
  'integrations/delete': {
    resource,
    summary: 'Delete an integration',
    description:
      'Its keys are dead when the answer comes. Its webhooks and their subscriptions go with it; of thousands, the last ones within minutes after the answer.',
    answer: { status: 204 },
    errors: [unknown],
    examples: {
      delete: {
        summary: 'With everything that it owns',
        caller: 'Owner',
        path: { id: shop.id },
        status: 204,
      },
      'delete-again': {
        summary: 'What is gone is not found',
        caller: 'Owner',
        path: { id: shop.id },
        status: 404,
        answer: errorAnswer('NotFoundError', `No integration has the id \`${shop.id}\`.`, {
          help: 'GET /admin/integrations/ lists them.',
        }),
      },
    },
  },
} satisfies Record<string, Operation>;
