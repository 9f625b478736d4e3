/** The envelope of an error, for examples. */

interface Told {
  readonly context?: string;
  readonly details?: readonly object[];
  readonly property?: string;
  readonly help: string;
}

/** All nine keys; what is not said is null. */
export const errorAnswer = (type: string, message: string, { context, details, property, help }: Told): object => ({
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
