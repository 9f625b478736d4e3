/** The OpenAPI texts of integrations and their keys. */
import * as v from 'valibot';
import { NoPermissionError, NotFoundError, ValidationError } from '../../../shared/foundation/errors.ts';
import {
  apiKeyResource,
  inboundSecretResource,
  integrationResource,
} from '../../../shared/integrations/integration.ts';
import { integrationChanges, keyReplacement, newIntegration } from '../../../shared/integrations/schema.ts';
import { failure, forbidden, invalid } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts, QueryParameter } from '../operation.ts';
import { cursor, limit } from '../parameters.ts';

const include: QueryParameter = {
  schema: v.pipe(v.string(), v.metadata({ examples: ['webhooks', 'api_keys', 'webhooks,api_keys'] })),
  description: 'What to include: `webhooks`, `api_keys`, or both, separated by a comma.',
};

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
    summary: 'Create an integration',
    description: 'Also creates its first key, whose secret is not returned again: store it.',
    query: { include },
    body: { root: 'integrations', item: newIntegration, max: 1 },
    answer: { status: 201, root: 'integrations', item: integrationResource, location: 'The URL of the integration.' },
    errors: [failure('ValidationError', 'the stage has as many integrations as it allows; `details` names the cap')],
    examples: {
      create: {
        summary: 'An integration whose contact is notified of failing webhooks',
        body: [
          {
            name: shop.name,
            description: shop.description,
            contact_email: shop.contact_email,
            can_publish: false,
            can_receive_staff_events: false,
          },
        ],
        answer: [{ ...shop, api_keys: [{ ...key, secret: `${keyId}:${'c0'.repeat(32)}` }] }],
      },
      'not-allowed': {
        summary: 'The key of an integration cannot manage integrations',
        caller: 'integration',
        body: [{ name: 'Another' }],
        error: new NoPermissionError('The key of an integration cannot use this endpoint.', {
          help: 'Allowed callers: the Owner, Administrators.',
        }),
      },
    },
  },
  'integrations/list': {
    summary: 'List the integrations',
    description:
      'With `include=webhooks` each has its newest 500 webhooks, and a page ends early before it becomes too large. Read an integration by its id for all its webhooks, page by page.',
    query: { include, limit, cursor },
    answer: { status: 200, root: 'integrations', item: integrationResource, pages: 'always' },
    examples: {
      'first-page': {
        summary: 'The first page, with one item',
        query: { limit: '1' },
        answer: [shop],
        pagination: { limit: 1, next: 'WyJpbnRlZ3JhdGlvbnMiLCIwMTlhY2I0YzJkMTBhMWIyYzNkNGU1ZjYiXQ' },
      },
      'wrong-limit': {
        summary: 'A limit that is too large',
        query: { limit: '1000' },
        error: new ValidationError('`limit=1000` must be a number from 1 to 100.', {
          details: [
            { index: null, field: 'limit', rule: 'max_value', limit: 100, received: 'a string of 4 characters' },
          ],
          property: 'limit',
          help: 'Omit `limit`, or send a number in this range and follow `meta.pagination.next`.',
        }),
      },
    },
  },
  'integrations/read': {
    summary: 'Get an integration',
    description:
      'With `include=webhooks`, its webhooks come in pages of 500, newest first; `meta` has the next page. The key of an integration can read its own integration, whose id every webhook has.',
    query: { include, cursor },
    answer: { status: 200, root: 'integrations', item: integrationResource, pages: 'sometimes' },
    errors: [forbidden('the key belongs to another integration')],
    examples: {
      plain: {
        summary: 'The integration alone',
        path: { id },
        answer: [shop],
      },
      'with-keys-and-webhooks': {
        summary: 'With its keys and webhooks',
        path: { id },
        query: { include: 'webhooks,api_keys' },
        answer: [{ ...shop, webhooks: [], api_keys: [key] }],
        pagination: { limit: 500, next: null },
      },
    },
  },
  'integrations/update': {
    summary: 'Update an integration',
    description: 'Omitted fields keep their values.',
    query: { include },
    body: { root: 'integrations', item: integrationChanges, max: 1 },
    answer: { status: 200, root: 'integrations', item: integrationResource },
    examples: {
      rename: {
        summary: 'A new name, and the permission to publish events',
        path: { id },
        body: [{ name: renamed.name, can_publish: true }],
        answer: [renamed],
      },
    },
  },
  'integrations/refresh-key': {
    summary: 'Replace a key of an integration',
    description:
      'Without a body, for a key that is lost or was leaked: the old key is invalid at once, except in environments that have cached it, for at most five seconds. With `previous_valid_hours` the old key is valid for so long and ends by itself; a key that an earlier replacement left ends at once, so that an integration has at most two. The new secret is not returned again.',
    body: { root: 'api_keys', item: keyReplacement, max: 1, isOptional: true },
    answer: { status: 200, root: 'integrations', item: integrationResource },
    errors: [invalid('key_id', 'the key has been replaced already, and ends by itself')],
    examples: {
      refresh: {
        summary: 'The key was lost',
        path: { id, key_id: keyId },
        answer: [{ ...renamed, api_keys: [newKey] }],
      },
      overlap: {
        summary: 'A key that is in use, with a day to replace it',
        path: { id, key_id: newKey.id },
        body: [{ previous_valid_hours: 24 }],
        answer: [
          {
            ...renamed,
            api_keys: [
              { ...newKey, id: '019acb5c2f00a1b2c3d4e5f6', secret: `019acb5c2f00a1b2c3d4e5f6:${'7b'.repeat(32)}` },
              { ...newKey, secret: null, valid_until: '2026-11-22T09:22:00.000Z' },
            ],
          },
        ],
      },
    },
  },
  'integrations/replace-inbound-secret': {
    summary: 'Make or replace the inbound secret of an integration',
    description:
      'The secret with which a Ghost site signs the events that it sends to `POST /inbound/ghost/{integration_id}/{event}/`. It is not returned again; an earlier one is invalid at once. No body is required.',
    answer: { status: 200, root: 'secrets', item: inboundSecretResource },
    examples: {
      make: {
        summary: 'A Ghost site is about to send its events',
        path: { id },
        answer: [exampleOf(inboundSecretResource, {})],
      },
    },
  },
  'integrations/delete': {
    summary: 'Delete an integration',
    description:
      'Its keys are invalid within five seconds, its open invites are revoked, and its replays are cancelled. Its webhooks are deleted with it; of thousands, the last ones within minutes after the response.',
    answer: { status: 204 },
    examples: {
      delete: { summary: 'With its keys and webhooks', path: { id } },
      'delete-again': {
        summary: 'A deleted integration',
        path: { id },
        error: new NotFoundError(`No integration has the id \`${id}\`.`, {
          help: 'GET /admin/integrations/ lists them.',
        }),
      },
    },
  },
} satisfies Record<string, OperationTexts>;
