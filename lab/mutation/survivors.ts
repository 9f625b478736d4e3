/** Explains changes that no test can detect. Every other surviving change needs a test. */

export interface Explanation {
  /** In the form of the report: `before → after`. */
  readonly changes: readonly string[];
  readonly why: string;
}

/** By file. */
export type Explanations = Readonly<Record<string, readonly Explanation[]>>;

export const survivors: Explanations = {
  'shared/table/batch.ts': [
    {
      changes: ['start < items.length → start <= items.length'],
      why: 'One more round has an empty slice, for which no request is sent.',
    },
  ],
  'shared/http/paging.ts': [
    {
      changes: ['[] → ["Stryker was here"]'],
      why: 'No list of parts starts with the scope of the list: the cursor is refused.',
    },
  ],
  'shared/events/api-versions/registry.ts': [
    {
      changes: ['[] → ["Stryker was here"]'],
      why: 'The second member of a list of one is undefined, too: the current version serves.',
    },
    {
      changes: ['major === undefined → false'],
      why: 'NaN in place of undefined counts no steps either: the current version serves.',
    },
  ],
  'shared/events/store.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'A body without `payload` has `brotli` or `gzip`: the default is for the compiler.',
    },
    {
      changes: [
        '{ params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 5, [constants.B… → {}',
        '{ [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARA… → {}',
      ],
      why: 'How well and how fast it compresses is measured: any settings can be read.',
    },
  ],
  'shared/due/sweep.ts': [
    {
      changes: ['keys.length === 0 → false'],
      why: 'It saves calls: for no keys, nothing is sent and nothing is postponed.',
    },
    {
      changes: ['systemClock() < deadline → systemClock() <= deadline'],
      why: 'It stops long before its timeout: at exactly the deadline, either will do.',
    },
    {
      changes: ['total + count → total - count'],
      why: 'A sum of sums: the two signs cancel each other out.',
    },
  ],
  'shared/deliveries/records/cohort-store.ts': [
    {
      changes: ['from > to → from >= to'],
      why: 'It saves a request: no item has exactly the sort key of a time, because a hash follows it.',
    },
  ],
  'shared/deliveries/records/store.ts': [
    {
      changes: ['from > to → from >= to'],
      why: 'No delivery has a text as its id that is both the first and the last of a range: ids are longer than times, and what is behind one is longer than ids.',
    },
    {
      changes: ['one > other → one >= other', 'one < other → one <= other'],
      why: 'Of two equal texts, either will do.',
    },
  ],
  'shared/deliveries/lanes.ts': [
    {
      changes: ['sent[lane].length > 0 → true', 'sent[lane].length > 0 → sent[lane].length >= 0'],
      why: 'For no messages, no request is sent.',
    },
  ],
  'shared/deliveries/attempt/soft-deadline.ts': [
    {
      changes: ['watched.filter(({ isOver }) => !isOver) → watched'],
      why: 'It saves timers: attempts that are over are not reported.',
    },
  ],
  'shared/deliveries/attempt/turns.ts': [
    {
      changes: ['interval * (slots - 1) → interval / (slots - 1)'],
      why: 'There are two slots, so that the factor is 1.',
    },
  ],
  'shared/deliveries/attempt/deliver.ts': [
    {
      changes: ['attempt === 1 → false'],
      why: 'It saves making a text for nearly all messages: the longer name is as good.',
    },
    {
      changes: ['noted !== undefined → true'],
      why: 'It saves waiting for nothing.',
    },
  ],
  'shared/deliveries/fan-out/store.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'No run has either name: a body without a run is not taken over.',
    },
  ],
  'shared/deliveries/fan-out/fan-out.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'No message has either id: a run without a name is that of another message.',
    },
  ],
  'shared/deliveries/attempt/findings.ts': [
    {
      changes: ['notice !== undefined → false'],
      why: 'Every notice comes with an announcement, which sends the same message.',
    },
    {
      changes: ['isLate → false', 'true → false'],
      why: 'It saves a look at the record: in the slow lane nothing is written.',
    },
    {
      changes: [
        'found.length === 0 → false',
        'work === undefined && showNothingNew(findings.webhook, found, disableAfterDays, systemClock()) → false',
      ],
      why: 'It saves work: what shows nothing new is not written.',
    },
  ],
  'shared/deliveries/records/row.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'Every short form has both: the defaults are for the compiler.',
    },
  ],
  'shared/deliveries/sender/answer.ts': [
    {
      changes: ['retryAfter === undefined && delivery === undefined → false'],
      why: 'It saves making objects for nearly all answers: the rest of the function returns no header either.',
    },
    {
      changes: ['chunk.length <= rest → false', 'chunk.length <= rest → chunk.length < rest'],
      why: 'It saves making an object for nearly all answers: the part of a chunk that is not longer is all of it.',
    },
  ],
  'shared/deliveries/sender/connections.ts': [
    {
      changes: ['origin.open === 0 → false'],
      why: 'It frees memory: an origin without connections is as good as a new one.',
    },
  ],
  'shared/deliveries/sender/send-failure.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'No error has either code.',
    },
  ],
  'shared/deliveries/sender/send.ts': [
    {
      changes: ['exchange.waited → true'],
      why: 'It saves a timer: for an exchange that has not waited, it is set again to the same time.',
    },
    {
      changes: ["connection.phase === 'open' → true"],
      why: 'A connection that is opened says so (`onOpening`), before anything is sent over it.',
    },
  ],
  'shared/deliveries/log/sent.ts': [
    {
      changes: ['/-signature$/i → /-signature/i'],
      why: 'No header has it within its name.',
    },
  ],
  'shared/webhooks/neighbours.ts': [
    {
      changes: ['other.sk < first → other.sk <= first', 'other.sk > last → other.sk >= last'],
      why: 'A key that is equal to an end is that end.',
    },
  ],
  'shared/webhooks/target-url.ts': [
    {
      changes: [
        "url.username !== '' || url.password !== '' → false",
        "url.username !== '' || url.password !== '' → url.username !== '' && url.password !== ''",
        "url.username !== '' → false",
        "url.password !== '' → false",
      ],
      why: 'The check of the text finds every user name that the parser finds. Both stay: the guard must not depend on one reading.',
    },
  ],
  'shared/webhooks/health.ts': [
    {
      changes: [
        "before === undefined && observation.outcome === 'answered' && !observation.wasLate && observation.pauseMs === 0 → false",
      ],
      why: 'It saves work for nearly all attempts: the rest of the function leaves a healthy webhook without health too.',
    },
  ],
  'shared/deliveries/log/merge.ts': [
    {
      changes: ['id > last → id >= last'],
      why: 'No two deliveries have the same id.',
    },
  ],
  'shared/webhooks/manage.ts': [
    {
      changes: ['true → false'],
      why: 'The value is not read: any but undefined ends the tries.',
    },
  ],
};
