/** The one place where errors become answers: the contract's envelope, and an id that also stands in the log. */
import { randomUUID } from 'node:crypto';
import { InternalServerError, MastheadError } from '../foundation/errors.ts';
import type { HttpResponse } from './response.ts';

/** The error as one of ours: what is not, is our own fault, and nothing of it is told. */
export const asMastheadError = (error: unknown): MastheadError =>
  error instanceof MastheadError ? error : new InternalServerError(error);

/** The envelope: one entry, all nine keys, null where there is nothing to say (wire contract, "The error envelope"). */
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
