/** Errors, thrown anywhere and rendered in `shared/http/envelope.ts` (docs/compatibility.md, "Errors"). */

/** One failure of one field of one item; `index` is the position of the item, null for the request itself. */
export interface Failure {
  readonly index: number | null;
  readonly field: string;
  readonly rule: string;
  readonly limit: unknown;
  /** The type and length of the received value, never the value: it may be a secret. */
  readonly received: string;
}

interface Explanation {
  readonly context?: string | undefined;
  readonly help?: string | undefined;
  readonly code?: string | undefined;
  readonly property?: string | undefined;
  readonly details?: readonly Failure[] | undefined;
  readonly cause?: unknown;
}

/** The base of all errors: `status` is the HTTP status, `type` the name that clients switch on. */
export abstract class MastheadError extends Error {
  abstract readonly status: number;
  abstract readonly type: string;
  readonly context: string | null;
  readonly help: string | null;
  readonly code: string | null;
  readonly property: string | null;
  details: readonly Failure[] | null;

  constructor(message: string, explanation: Explanation = {}) {
    super(message, { cause: explanation.cause });
    this.context = explanation.context ?? null;
    this.help = explanation.help ?? null;
    this.code = explanation.code ?? null;
    this.property = explanation.property ?? null;
    this.details = explanation.details ?? null;
  }

  withDetails(details: readonly Failure[]): this {
    this.details = details;
    return this;
  }

  /** Headers of the response in addition to the usual ones. */
  get headers(): Record<string, string> {
    return {};
  }
}

const errorOf = (name: string, code: number) =>
  class extends MastheadError {
    readonly status = code;
    readonly type = name;
  };

export class BadRequestError extends /* @__PURE__ */ errorOf('BadRequestError', 400) {}
export class UnauthorizedError extends /* @__PURE__ */ errorOf('UnauthorizedError', 401) {}
export class NoPermissionError extends /* @__PURE__ */ errorOf('NoPermissionError', 403) {}
export class NotFoundError extends /* @__PURE__ */ errorOf('NotFoundError', 404) {}

/** Lists the methods that the path supports in `Allow` (RFC 9110, 15.5.6). */
export class MethodNotAllowedError extends MastheadError {
  readonly status = 405;
  readonly type = 'MethodNotAllowedError';
  readonly allow: readonly string[];

  constructor(message: string, allow: readonly string[], explanation: Explanation = {}) {
    super(message, explanation);
    this.allow = allow;
  }

  override get headers(): Record<string, string> {
    return { Allow: this.allow.join(', ') };
  }
}

export class ConflictError extends /* @__PURE__ */ errorOf('ConflictError', 409) {}
export class RequestEntityTooLargeError extends /* @__PURE__ */ errorOf('RequestEntityTooLargeError', 413) {}
export class UnsupportedMediaTypeError extends /* @__PURE__ */ errorOf('UnsupportedMediaTypeError', 415) {}
export class ValidationError extends /* @__PURE__ */ errorOf('ValidationError', 422) {}

abstract class TryLaterError extends MastheadError {
  /** Seconds after which the same request may succeed (RFC 9110, 10.2.3). */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, explanation: Explanation = {}) {
    super(message, explanation);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  override get headers(): Record<string, string> {
    return { 'Retry-After': String(Math.max(1, Math.ceil(this.retryAfterSeconds))) };
  }
}

export class TooManyRequestsError extends TryLaterError {
  readonly status = 429;
  readonly type = 'TooManyRequestsError';
}

/** The table or a queue did not accept the request; nothing was acknowledged. */
export class ServiceUnavailableError extends TryLaterError {
  readonly status = 503;
  readonly type = 'ServiceUnavailableError';

  constructor(cause: unknown) {
    super('The request could not be completed. Retry in a few seconds.', 2, { cause });
  }
}

/** Other requests changed the same in each of many tries. Their senders cause it, so the stage is not at fault. */
export class ContentionError extends TryLaterError {
  readonly status = 429;
  readonly type = 'TooManyRequestsError';

  constructor(cause: unknown) {
    super('Other requests keep changing the same resource. Retry in a few seconds.', 2, {
      help: 'Send changes of one resource one after the other.',
      cause,
    });
  }
}

export class InternalServerError extends MastheadError {
  readonly status = 500;
  readonly type = 'InternalServerError';

  constructor(cause: unknown) {
    super('An internal error occurred.', {
      help:
        'Retry. If this happens again, report the id of this error to the operator of the site: it is also in the ' +
        'log.',
      cause,
    });
  }
}
