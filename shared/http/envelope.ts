/** Renders errors: the only place that knows the envelope. */
import { randomUUID } from 'node:crypto';
import { InternalServerError, MastheadError } from '../foundation/errors.ts';
import type { HttpResponse } from './response.ts';

/** Returns a MastheadError; any other error becomes an internal error without details for clients. */
export const asMastheadError = (error: unknown): MastheadError =>
  error instanceof MastheadError ? error : new InternalServerError(error);

/** Returns the envelope: one entry with all nine keys; `id` is also in the log (docs/compatibility.md, "Errors"). */
export const errorResponse = (error: MastheadError, id: string = randomUUID()): HttpResponse => ({
  status: error.status,
  headers: error.headers,
  body: {
    errors: [
      {
        message: error.message,
        context: error.context,
        type: error.type,
        details: error.details,
        property: error.property,
        help: error.help,
        code: error.code,
        id,
        ghostErrorCode: null,
      },
    ],
  },
});
