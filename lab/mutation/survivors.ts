/** Explains changes that no test can detect. Every other surviving change needs a test. */

export interface Explanation {
  /** As the report writes it: `before → after`. */
  readonly changes: readonly string[];
  readonly why: string;
}

/** Explanations by file. */
export type Explanations = Readonly<Record<string, readonly Explanation[]>>;

export const survivors: Explanations = {
  'shared/table/batch.ts': [
    {
      changes: ['start < items.length → start <= items.length'],
      why: 'Another round gets an empty slice, for which no request is sent.',
    },
  ],
  'shared/http/paging.ts': [
    {
      changes: ['[] → ["Stryker was here"]'],
      why: "No list of parts starts with the list's own scope, so the cursor is refused either way.",
    },
  ],
  'shared/events/api-versions/registry.ts': [
    {
      changes: ['[] → ["Stryker was here"]'],
      why: 'The second member of a list of one is also undefined, so the current version is used.',
    },
    {
      changes: ['major === undefined → false'],
      why: 'NaN counts no steps, like undefined, so the current version is used.',
    },
  ],
  'shared/events/store.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'A body without `payload` has `brotli` or `gzip`; the default exists only for the compiler.',
    },
    {
      changes: [
        '{ params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 5, [constants.B… → {}',
        '{ [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARA… → {}',
      ],
      why: 'The settings change how well and how fast it compresses; any compressed body can be read.',
    },
  ],
  'shared/due/sweep.ts': [
    {
      changes: ['keys.length === 0 → false'],
      why: 'A shortcut: without keys, nothing is sent and nothing is postponed.',
    },
    {
      changes: ['systemClock() < deadline → systemClock() <= deadline'],
      why: 'It stops long before its timeout, so exactly at the deadline both are right.',
    },
    {
      changes: ['total + count → total - count'],
      why: 'The sum is added up twice with the same sign, so the two changes cancel each other out.',
    },
  ],
  'shared/deliveries/records/cohort-store.ts': [
    {
      changes: ['from > to → from >= to'],
      why: 'A shortcut: no item has exactly a time as its sort key, because a hash follows the time.',
    },
  ],
  'shared/deliveries/records/store.ts': [
    {
      changes: ['from > to → from >= to'],
      why: "The two ends of a range differ from every delivery's sort key: keys with an id are longer than times, and the upper end is longer than such a key.",
    },
    {
      changes: ['one > other → one >= other', 'one < other → one <= other'],
      why: 'For two equal texts both are right.',
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
      why: 'A shortcut that saves timers: attempts that are over are not reported.',
    },
  ],
  'shared/deliveries/attempt/turns.ts': [
    {
      changes: ['interval * (slots - 1) → interval / (slots - 1)'],
      why: 'There are two slots, so the factor is 1.',
    },
  ],
  'shared/deliveries/attempt/deliver.ts': [
    {
      changes: ['attempt === 1 → false'],
      why: 'A shortcut for nearly all messages: the longer name works as well.',
    },
    {
      changes: ['noted !== undefined → true'],
      why: 'A shortcut: without it, the code waits for nothing.',
    },
  ],
  'shared/deliveries/fan-out/store.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'No run has either name, so a body without a run is never taken over.',
    },
  ],
  'shared/deliveries/fan-out/fan-out.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'No message has either id, so a run without a name never belongs to this message.',
    },
  ],
  'shared/deliveries/attempt/findings.ts': [
    {
      changes: ['notice !== undefined → false'],
      why: 'Every notice comes with an announcement, which sends the same message.',
    },
    {
      changes: ['isLate → false', 'true → false'],
      why: 'A shortcut: in the slow lane nothing is written, so the record need not be read.',
    },
    {
      changes: [
        'found.length === 0 → false',
        'work === undefined && hasNothingNew(findings.webhook, found, disableAfterDays, systemClock()) → false',
      ],
      why: 'A shortcut: what shows nothing new is not written later either.',
    },
  ],
  'shared/deliveries/records/row.ts': [
    {
      changes: ['\'\' → "Stryker was here!"'],
      why: 'Every short form has both; the defaults exist only for the compiler.',
    },
  ],
  'shared/deliveries/sender/answer.ts': [
    {
      changes: ['retryAfter === undefined && delivery === undefined → false'],
      why: 'A shortcut for nearly all answers: the rest of the function returns no header either.',
    },
    {
      changes: ['chunk.length <= rest → false', 'chunk.length <= rest → chunk.length < rest'],
      why: 'A shortcut for nearly all answers: the beginning of a chunk that is not too long is the whole chunk.',
    },
  ],
  'shared/deliveries/sender/connections.ts': [
    {
      changes: ['origin.open === 0 → false'],
      why: 'It only frees memory: an origin without connections behaves like a new one.',
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
      why: 'A shortcut: for an exchange that has not waited, the timer is set again to the same time.',
    },
    {
      changes: ["connection.phase === 'open' → true"],
      why: 'A newly opened connection reports itself (`onOpening`) before anything is sent over it.',
    },
  ],
  'shared/deliveries/log/sent.ts': [
    {
      changes: ['/-signature$/i → /-signature/i'],
      why: 'No header contains it within its name.',
    },
  ],
  'shared/webhooks/neighbours.ts': [
    {
      changes: ['other.sk < first → other.sk <= first', 'other.sk > last → other.sk >= last'],
      why: 'A key that equals an end is that end.',
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
      why: 'The check of the text finds every user name that the parser finds. Both stay, because the guard must not depend on a single parser.',
    },
  ],
  'shared/webhooks/health.ts': [
    {
      changes: [
        "before === undefined && observation.outcome === 'answered' && !observation.wasLate && observation.pauseMs === 0 → false",
      ],
      why: 'A shortcut for nearly all attempts: the rest of the function leaves a healthy webhook without health too.',
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
      why: 'The value is not read: any value except undefined ends the loop.',
    },
  ],
};
