/** Error cases that operations share, and the envelope of an error in examples. */
import type { ErrorCase } from '../operation.ts';

/** Returns a 422 for one field or parameter. */
export const invalid = (property: string, when: string): ErrorCase => ({
  status: 422,
  type: 'ValidationError',
  property,
  when,
});

export const notFound = (when: string): ErrorCase => ({ status: 404, type: 'NotFoundError', when });

export const forbidden = (when: string): ErrorCase => ({ status: 403, type: 'NoPermissionError', when });

/** The `id` in the body of a PUT. */
export const otherId: ErrorCase = {
  status: 400,
  type: 'BadRequestError',
  property: 'id',
  when: 'the `id` of the item differs from the one in the path',
};

interface Explanation {
  readonly context?: string;
  readonly details?: readonly object[];
  readonly property?: string;
  readonly help: string;
}

/** Returns the envelope of an error with all nine keys. */
export const errorAnswer = (
  type: string,
  message: string,
  { context, details, property, help }: Explanation,
): object => ({
  errors: [
    {
      message,
      context: context ?? null,
      type,
      details: details ?? null,
      property: property ?? null,
      help,
      code: null,
      id: '5f0c7f4e-6d0b-4a39-9f43-0d7b3f1f5b11',
      ghostErrorCode: null,
    },
  ],
});
