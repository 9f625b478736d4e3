/**
 * The errors of Masthead: thrown anywhere, rendered as the contract's envelope in `shared/http/envelope.ts` alone.
 * Statuses, types and codes are rows of the wire contract's error table.
 */

/** One thing wrong with one field of one item of a request; `index` is the item's position, null for the request itself. */
export interface Failure {
  readonly index: number | null;
  readonly field: string;
  readonly rule: string;
  readonly limit: unknown;
  /** Type and length of what came, never a secret's value. */
  readonly received: string;
}

interface Explanation {
  /** What exactly was wrong. */
  readonly context?: string | undefined;
  /** The way out. */
  readonly help?: string | undefined;
  readonly code?: string | undefined;
  readonly property?: string | undefined;
  readonly details?: readonly Failure[] | undefined;
  readonly cause?: unknown;
}

/** What all of them share; `status` is the HTTP status and `type` the name that clients switch on. */
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

  /** The same error, with all that was wrong beside what it says itself. */
  withDetails(details: readonly Failure[]): this {
    this.details = details;
    return this;
  }

  /** Headers that the answer carries beside the usual ones. */
  get headers(): Record<string, string> {
    return {};
  }
}

export class BadRequestError extends MastheadError {
  readonly status = 400;
  readonly type = 'BadRequestError';
}

export class UnauthorizedError extends MastheadError {
  readonly status = 401;
  readonly type = 'UnauthorizedError';
}

export class NoPermissionError extends MastheadError {
  readonly status = 403;
  readonly type = 'NoPermissionError';
}

export class NotFoundError extends MastheadError {
  readonly status = 404;
  readonly type = 'NotFoundError';
}

/** Carries the methods the path does answer (RFC 9110, 15.5.6). */
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

export class RequestEntityTooLargeError extends MastheadError {
  readonly status = 413;
  readonly type = 'RequestEntityTooLargeError';
}

export class UnsupportedMediaTypeError extends MastheadError {
  readonly status = 415;
  readonly type = 'UnsupportedMediaTypeError';
}

export class ValidationError extends MastheadError {
  readonly status = 422;
  readonly type = 'ValidationError';
}

abstract class TryLaterError extends MastheadError {
  /** Seconds after which the same request may work (RFC 9110, 10.2.3). */
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

/** The table or a queue did not take what came; nothing was acknowledged. */
export class ServiceUnavailableError extends TryLaterError {
  readonly status = 503;
  readonly type = 'ServiceUnavailableError';

  constructor(cause: unknown) {
    super('The request could not be stored just now. Send it again in a few seconds.', 2, { cause });
  }
}

export class InternalServerError extends MastheadError {
  readonly status = 500;
  readonly type = 'InternalServerError';

  constructor(cause: unknown) {
    super('Something went wrong on our side.', {
      help: 'Try again; if it happens again, give the id of this error to whoever runs this Masthead: it stands in the log.',
      cause,
    });
  }
}
