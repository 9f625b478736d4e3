/** The errors that an endpoint has because of who may call it, what is in its path and what it reads (wire contract, error tables). */
import type { EndpointLine } from '../../../shared/contract.ts';
import type { ErrorCase, Operation } from './operation.ts';

const authentication: readonly ErrorCase[] = [
  { status: 400, type: 'BadRequestError', code: 'INVALID_JWT', when: 'what follows `Ghost` is not a JSON Web Token' },
  { status: 400, type: 'BadRequestError', code: 'MISSING_ADMIN_API_KID', when: 'the token has no `kid`' },
  {
    status: 401,
    type: 'UnauthorizedError',
    code: 'INVALID_AUTH_HEADER',
    when: 'the scheme is another, or there is no token',
  },
  { status: 401, type: 'UnauthorizedError', code: 'UNKNOWN_ADMIN_API_KEY', when: 'no key has the id in `kid`' },
  {
    status: 401,
    type: 'UnauthorizedError',
    code: 'INVALID_JWT',
    when: 'signature, algorithm, audience or times of the token are not as they should be',
  },
  { status: 403, type: 'NoPermissionError', when: 'there are no credentials' },
  { status: 403, type: 'NoPermissionError', when: 'the key is of a kind or role that may not do this' },
];

/** A body is read even where none is wanted, so that nobody sends one that hides something. */
const anyBody: readonly ErrorCase[] = [
  { status: 400, type: 'BadRequestError', when: 'the body is not valid JSON' },
  { status: 413, type: 'RequestEntityTooLargeError', when: 'the body has more bytes than are taken here' },
  { status: 415, type: 'UnsupportedMediaTypeError', when: 'the body is compressed, or its charset is not UTF-8' },
];

const bodyWithItems: readonly ErrorCase[] = [
  {
    status: 400,
    type: 'BadRequestError',
    when: 'the body is empty or not JSON, or has not the root key with a list of objects in it',
  },
  {
    status: 422,
    type: 'ValidationError',
    when: 'fields are missing or break a rule, or there are too many items; `details` names each',
  },
];

const idInPath: ErrorCase = {
  status: 422,
  type: 'ValidationError',
  property: 'id',
  when: 'an id in the path is not 24 lower-case hex characters',
};

const ours: readonly ErrorCase[] = [
  { status: 429, type: 'TooManyRequestsError', when: 'more requests came than are allowed' },
  { status: 500, type: 'InternalServerError', when: 'something went wrong on our side' },
  { status: 503, type: 'ServiceUnavailableError', when: 'it could not be done just now; nothing was acknowledged' },
];

/** Whether any endpoint has this error; such ones are told once for all. */
export const isCommon = (status: number): boolean => [401, 413, 415, 429, 500, 503].includes(status);

/** All errors of an endpoint, in the order of its checks. */
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
  ...ours,
];

/** The errors that are told once for all, as they are where an endpoint has them. */
export const commonErrors: readonly ErrorCase[] = [...authentication, ...anyBody, ...ours].filter(({ status }) =>
  isCommon(status),
);
