/** The errors that follow from an endpoint's line in the contract: its callers, path and body (docs/compatibility.md, "Errors"). */
import type { EndpointLine } from '../../../shared/contract.ts';
import type { ErrorCase, Operation } from './operation.ts';

const authentication: readonly ErrorCase[] = [
  {
    status: 400,
    type: 'BadRequestError',
    code: 'INVALID_JWT',
    when: 'the value after `Ghost` is not a JSON Web Token',
  },
  { status: 400, type: 'BadRequestError', code: 'MISSING_ADMIN_API_KID', when: 'the token has no `kid`' },
  {
    status: 401,
    type: 'UnauthorizedError',
    code: 'INVALID_AUTH_HEADER',
    when: 'the scheme is not `Ghost`, or the token is missing',
  },
  { status: 401, type: 'UnauthorizedError', code: 'UNKNOWN_ADMIN_API_KEY', when: 'no key has the id in `kid`' },
  {
    status: 401,
    type: 'UnauthorizedError',
    code: 'INVALID_JWT',
    when: 'the signature, algorithm, audience or times of the token are invalid',
  },
  { status: 403, type: 'NoPermissionError', when: 'there are no credentials' },
  { status: 403, type: 'NoPermissionError', when: 'the caller cannot use this endpoint' },
];

/** A body is checked even if the endpoint does not use it. */
const anyBody: readonly ErrorCase[] = [
  { status: 400, type: 'BadRequestError', when: 'the body is not valid JSON' },
  { status: 413, type: 'RequestEntityTooLargeError', when: 'the body is larger than the limit' },
  { status: 415, type: 'UnsupportedMediaTypeError', when: 'the body is compressed, or its charset is not UTF-8' },
];

const bodyWithItems: readonly ErrorCase[] = [
  {
    status: 400,
    type: 'BadRequestError',
    when: 'the body is empty or not JSON, or lacks the root key with an array of objects',
  },
  {
    status: 422,
    type: 'ValidationError',
    when: 'fields are missing or invalid, or there are too many items; `details` lists every failure',
  },
];

const idInPath: ErrorCase = {
  status: 422,
  type: 'ValidationError',
  property: 'id',
  when: 'an id in the path is not 24 lower-case hex characters',
};

const always: readonly ErrorCase[] = [
  { status: 429, type: 'TooManyRequestsError', when: 'a rate limit is reached' },
  { status: 500, type: 'InternalServerError', when: 'an internal error occurred' },
  { status: 503, type: 'ServiceUnavailableError', when: 'the request could not be stored; nothing was acknowledged' },
];

/** Whether errors with this status are described once for all endpoints. */
export const isCommon = (status: number): boolean => [401, 413, 415, 429, 500, 503].includes(status);

/** Returns all errors of an endpoint, in the order of its checks. */
export const errorsOf = (line: EndpointLine, operation: Operation): ErrorCase[] => {
  const errors = allErrorsOf(line, operation);
  return operation.failsWithPages ? errors.map(({ status, when }) => ({ status, when })) : errors;
};

const allErrorsOf = (line: EndpointLine, operation: Operation): ErrorCase[] => [
  ...(line.method === 'GET' ? [] : anyBody),
  ...(line.callers.includes('anyone') ? [] : authentication),
  ...(/\{\w*id\}/.test(line.path) ? [idInPath] : []),
  ...(operation.body !== undefined && 'root' in operation.body ? bodyWithItems : []),
  ...(operation.errors ?? []),
  ...always,
];

/** The errors that are described once for all endpoints. */
export const commonErrors: readonly ErrorCase[] = [...authentication, ...anyBody, ...always].filter(({ status }) =>
  isCommon(status),
);
