/** The errors that follow from an endpoint's line in the contract (docs/compatibility.md, "Errors"). */
import type { EndpointLine } from '../../shared/contract.ts';
import { type ErrorCase, failure, forbidden, invalid, notFound } from '../../shared/http/documentation.ts';
import { isList } from '../../shared/http/endpoint.ts';
import type { Operation } from './operations.ts';

const authentication: readonly ErrorCase[] = [
  failure('BadRequestError', 'the value after `Ghost` is not a JWT', { code: 'INVALID_JWT' }),
  failure('BadRequestError', 'the token has no `kid`', { code: 'MISSING_ADMIN_API_KID' }),
  failure('UnauthorizedError', 'the scheme is not `Ghost`, or the token is missing', { code: 'INVALID_AUTH_HEADER' }),
  failure('UnauthorizedError', 'no key has the id in `kid`', { code: 'UNKNOWN_ADMIN_API_KEY' }),
  failure('UnauthorizedError', 'the signature, algorithm, audience or times of the token are invalid', {
    code: 'INVALID_JWT',
  }),
  failure('UnauthorizedError', 'the session of the cookie has ended', { code: 'INVALID_SESSION' }),
  forbidden('there are no credentials'),
  forbidden('the caller cannot use this endpoint'),
];

const otherOrigin = forbidden('the cookie of a session comes with the `Origin` of another site');

/** A body is checked even if the endpoint does not use it. */
const bodyErrors: readonly ErrorCase[] = [
  failure('BadRequestError', 'the body is not valid JSON'),
  failure('RequestEntityTooLargeError', 'the body is larger than the limit'),
  failure('UnsupportedMediaTypeError', 'the body is compressed, or its charset is not UTF-8'),
];

const noItems = failure(
  'BadRequestError',
  'the body is empty or not JSON, or lacks the root key with an array of objects',
);
const invalidFields = failure(
  'ValidationError',
  'fields are missing or invalid, or there are too many items; `details` lists every failure',
);

const otherId = failure('BadRequestError', 'the `id` of the item differs from the one in the path', { property: 'id' });

const idInPath = invalid('id', 'an id in the path is not 24 lower-case hex characters');

/** What an endpoint checks about the objects in its path, by path segment. */
const objects: Readonly<Record<string, readonly ErrorCase[]>> = {
  'webhooks/{id}': [notFound('no webhook has this id'), forbidden('the webhook belongs to another integration')],
  '{delivery_id}': [notFound('the webhook has no delivery with this id')],
  '{replay_id}': [notFound('the webhook has no replay with this id')],
  'users/email/{address}': [notFound('no staff member has this address')],
  'users/slug/{slug}': [
    notFound('no staff member has this slug'),
    invalid('slug', 'several staff members have this slug'),
  ],
  'users/{id}': [notFound('no staff member has this id')],
  'integrations/{id}': [notFound('no integration has this id')],
  'relays/{id}': [notFound('no integration has this id, or it has no inbound secret')],
  '{key_id}': [notFound('the integration has no key with this id')],
  '{session_id}': [notFound('the staff member has no session with this id')],
  'session/{id}': [notFound('the caller has no session with this id')],
  'invites/{id}': [notFound('no invite has this id, or it is revoked or replaced')],
};

const always: readonly ErrorCase[] = [
  failure('TooManyRequestsError', 'a rate limit is reached'),
  failure('InternalServerError', 'an internal error occurred'),
  failure(
    'ServiceUnavailableError',
    'the request could not be completed, or the endpoint is throttled: retry after `Retry-After`',
  ),
];

/** Whether errors with this status are described once for all endpoints. */
export const isCommon = (status: number): boolean => [401, 413, 415, 429, 500, 503].includes(status);

/** Returns all errors of an endpoint, in the order of its checks. */
export const errorsOf = (line: EndpointLine, operation: Operation): ErrorCase[] => {
  const errors = allErrorsOf(line, operation);
  return operation.failure ? errors.map(({ status, when }) => ({ status, when })) : errors;
};

const foreignParameter = failure(
  'ValidationError',
  'a parameter would select from the list, and the list has no such one',
);

const allErrorsOf = (
  line: EndpointLine,
  { answer, query, items, documentation: { errors = [] } }: Operation,
): ErrorCase[] => [
  ...(line.method === 'GET' ? [] : bodyErrors),
  ...(line.callers.includes('anyone') ? [] : authentication),
  ...(line.callers.includes('anyone') || line.method === 'GET' ? [] : [otherOrigin]),
  ...(/\{\w*id\}/.test(line.path) ? [idInPath] : []),
  ...(items === undefined ? [] : items.otherwise === undefined ? [noItems, invalidFields] : [invalidFields]),
  ...(line.method === 'PUT' && line.path.includes('{id}') ? [otherId] : []),
  ...Object.entries(objects).flatMap(([part, cases]) => (line.path.includes(part) ? cases : [])),
  ...Object.entries(query).flatMap(([property, { invalid: when }]) =>
    when === undefined ? [] : [invalid(property, when)],
  ),
  ...(isList(line, answer) ? [foreignParameter] : []),
  ...errors,
  ...always,
];

export const commonErrors: readonly ErrorCase[] = [...authentication, ...bodyErrors, ...always].filter(({ status }) =>
  isCommon(status),
);
