/** Reads the forms of our own pages. */
import { BadRequestError } from '../foundation/errors.ts';
import type { HttpRequest } from './request.ts';

/** Reads the fields of a form. @throws BadRequestError for any other Content-Type */
export const readForm = ({ headers, body }: HttpRequest): URLSearchParams => {
  if (!/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new BadRequestError('The body is not a form: its Content-Type is not `application/x-www-form-urlencoded`.');
  return new URLSearchParams(body.toString('utf8'));
};

/** Whether our own page sent the form: another could sign its visitor in. `Origin` is missing (`no-referrer`). */
export const isOwnForm = ({ headers }: HttpRequest): boolean => headers['sec-fetch-site'] === 'same-origin';
