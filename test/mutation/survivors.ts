/** Why some changes survive the tests. A change that no test can notice is explained here; any other one needs a test. */

export interface Explanation {
  /** As the report prints them: `before → after`. */
  readonly changes: readonly string[];
  readonly why: string;
}

/** By file. */
export type Explanations = Readonly<Record<string, readonly Explanation[]>>;

export const survivors: Explanations = {
  'shared/table/batch.ts': [
    {
      changes: ['start < items.length → start <= items.length', 'start < keys.length → start <= keys.length'],
      why: 'One more round has an empty slice, for which no request is sent.',
    },
  ],
  'shared/http/paging.ts': [
    {
      changes: ['[] → ["Stryker was here"]'],
      why: 'Whatever the list of parts is, it does not begin with the scope of the list: the cursor is refused.',
    },
  ],
};
