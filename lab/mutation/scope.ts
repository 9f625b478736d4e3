/** The scope of mutation testing: which files are mutated, and which test files run on their mutants. */
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';

export interface Part {
  readonly name: string;
  /** Globs of the files to mutate. Files of an earlier part are excluded. */
  readonly files: readonly string[];
  /** Globs of the test files, fastest first, because the first failing test ends a mutant's run. */
  readonly tests: readonly string[];
  /** Seconds after which a test counts as hanging; lower where many mutants hang. */
  readonly timeoutSeconds?: number;
}

const endpoints = (...names: string[]): string[] => names.map((name) => `test/endpoints/${name}.test.ts`);
const fanOut = (...names: string[]): string[] => names.map((name) => `test/fan-out/${name}.test.ts`);
const unit = (...names: string[]): string[] => names.map((name) => `test/unit/${name}.test.ts`);

const inDeliveries = (...names: string[]): string[] => names.map((name) => `shared/deliveries/**/${name}.ts`);

/** Each part has only its nearest tests, because a surviving mutant runs all tests that reach it. */
export const parts: readonly Part[] = [
  {
    name: 'format',
    files: ['shared/table/format.ts'],
    tests: [...unit('format')],
  },
  {
    name: 'table',
    files: ['shared/table/**'],
    tests: [...unit('condition', 'conditional-writes', 'table', 'table-*', 'due-index')],
  },
  {
    name: 'paging',
    files: ['shared/http/paging.ts'],
    tests: [...unit('paging')],
  },
  {
    name: 'acceptance',
    files: ['outbox', 'parts', 'publisher-limit'].map((name) => `shared/**/${name}.ts`),
    tests: [...unit('event-acceptance'), ...fanOut('direct')],
  },
  {
    name: 'event-bodies',
    files: ['shared/events/store.ts'],
    tests: [...unit('event-store')],
  },
  {
    name: 'events',
    // The examples are documentation; test/unit/event-examples.test.ts checks them.
    files: ['shared/events/!(examples).ts', 'shared/events/*/**'],
    tests: [
      ...unit('catalogue', 'event', 'event-store', 'new-event', 'payload', 'openapi-document'),
      ...endpoints('events', 'event-ids', 'events-unavailable'),
    ],
  },
  {
    name: 'targets',
    files: ['shared/webhooks/target-*'],
    tests: [...unit('target-guard')],
  },
  {
    name: 'health',
    files: ['health', 'failing'].map((name) => `shared/webhooks/${name}.ts`),
    tests: [...unit('health', 'failing')],
  },
  {
    name: 'health-store',
    files: ['health-store', 'backlog'].map((name) => `shared/webhooks/${name}.ts`),
    tests: [...unit('health-store', 'recovery')],
  },
  {
    name: 'notices',
    files: ['shared/webhooks/notice*'],
    tests: [...unit('notice-mail', 'notice')],
  },
  {
    name: 'ownership',
    files: ['shared/webhooks/manage.ts'],
    tests: [...unit('manage-webhooks')],
  },
  {
    name: 'webhook-fields',
    files: ['shared/webhooks/schema.ts'],
    tests: [...unit('webhook-schema'), ...endpoints('webhook-fields')],
  },
  {
    name: 'cohorts',
    files: [
      ...['cohort', 'cohort-store', 'load', 'log-page', 'messages'].map(
        (name) => `shared/deliveries/records/${name}.ts`,
      ),
      'shared/deliveries/fan-out/first-messages.ts',
      'shared/webhooks/groups.ts',
    ],
    tests: [
      ...unit('log-page', 'cohort', 'webhook-groups', 'delivery-messages', 'merge-deliveries', 'delivery-store'),
      ...fanOut('first-messages'),
    ],
  },
  {
    name: 'webhooks',
    files: ['shared/webhooks/**'],
    tests: [...unit('webhook-store', 'webhook-ids', 'webhook-groups', 'openapi-document')],
  },
  {
    name: 'signing',
    files: ['signature', 'guarded-lookup'].map((name) => `shared/deliveries/sender/${name}.ts`),
    tests: [...unit('signature', 'guarded-lookup')],
  },
  {
    name: 'send-results',
    files: ['answer', 'exchange', 'result', 'send-failure', 'targets', 'timings'].map(
      (name) => `shared/deliveries/sender/${name}.ts`,
    ),
    tests: [...unit('send-results', 'sender-deadlines')],
  },
  {
    name: 'connections',
    files: ['connection', 'connections'].map((name) => `shared/deliveries/sender/${name}.ts`),
    tests: [...unit('sender-connection', 'sender-pool')],
  },
  {
    name: 'sender',
    files: ['shared/deliveries/sender/**'],
    tests: [...unit('sender-deadlines', 'sender')],
    timeoutSeconds: 10,
  },
  {
    name: 'replay-rules',
    files: ['replay', 'schema'].map((name) => `shared/deliveries/replays/${name}.ts`),
    tests: [...unit('replay')],
  },
  {
    name: 'replays',
    files: ['shared/deliveries/replays/**'],
    tests: [...unit('replay-runs', 'openapi-document')],
  },
  {
    name: 'direct',
    files: ['shared/deliveries/publish/**'],
    tests: [...fanOut('direct'), ...unit('event-acceptance')],
  },
  {
    name: 'fan-out',
    files: ['shared/deliveries/fan-out/**'],
    tests: [...fanOut('runs', 'direct')],
  },
  {
    name: 'filters',
    files: inDeliveries('filter', 'last-triggered', 'merge'),
    tests: [...unit('delivery-filter', 'last-triggered', 'merge-deliveries', 'delivery-store')],
  },
  {
    name: 'log',
    files: inDeliveries('browse', 'sent'),
    tests: [...unit('delivery-log', 'openapi-document')],
  },
  {
    name: 'turns',
    files: ['shared/deliveries/attempt/turns.ts'],
    tests: [...unit('turns', 'deliver-waiting')],
  },
  {
    name: 'timing',
    files: inDeliveries('schedule', 'overdue', 'batched-write', 'soft-deadline', 'lanes'),
    tests: [
      ...unit('schedule', 'overdue', 'batched-write', 'soft-deadline', 'lanes'),
      ...endpoints('deliver-lanes', 'deliver-time', 'deliver'),
    ],
  },
  {
    name: 'decisions',
    files: inDeliveries('attempt', 'decide', 'delivery'),
    tests: [...unit('attempt', 'decide', 'delivery')],
  },
  {
    name: 'deliveries',
    files: ['shared/deliveries/**'],
    tests: [...unit('cohort', 'log-page', 'delivery-row', 'delivery-store', 'deliver-batch', 'deliver-waiting')],
  },
  {
    name: 'due',
    files: ['shared/due/**'],
    tests: [...unit('sweep', 'due-index'), ...endpoints('sweep')],
  },
];

/** Returns the files that match the globs. @throws Error if a glob matches nothing, because its files were moved */
const filesOf = (globs: readonly string[], root: string): string[] =>
  globs.flatMap((glob) => {
    const files = globSync(glob, { cwd: root }).filter((file) => /(?<!\.d)\.ts$/.test(file));
    if (files.length === 0) throw new Error(`No file matches ${glob} of lab/mutation/scope.ts.`);
    return files.sort();
  });

const matches = (file: string, glob: string | undefined): boolean =>
  glob === undefined || file === glob || matchesGlob(file, glob);

/** Returns the paths of a part's files, relative to the root, optionally only those that match a glob. */
export const filesToMutate = (part: Part, root: string, glob?: string): readonly string[] => {
  const earlier = new Set(parts.slice(0, parts.indexOf(part)).flatMap(({ files }) => filesOf(files, root)));
  return filesOf(part.files, root).filter((file) => !earlier.has(file) && matches(file, glob));
};

/** Returns the paths of a part's test files in the order in which they run, relative to the root, optionally only those that match a glob. */
export const testsOf = (part: Part, root: string, glob?: string): readonly string[] =>
  [...new Set(filesOf(part.tests, root))].filter((file) => matches(file, glob));

/** Environment variables for the processes that run tests: the test files, and the time limit of a test. */
const testsVariable = 'MUTATION_TESTS';
const timeoutVariable = 'MUTATION_TIMEOUT_SECONDS';

/** A test that is slow on a busy machine must not count as failed. */
const usualTimeoutSeconds = 40;

/** Sets which test files of a part the processes run. */
export const setTests = (files: readonly string[], { timeoutSeconds = usualTimeoutSeconds }: Part): void => {
  process.env[testsVariable] = files.join(',');
  process.env[timeoutVariable] = String(timeoutSeconds);
};

/** Returns the milliseconds after which a test hangs. */
export const testTimeoutMs = (): number => Number(process.env[timeoutVariable]) * 1000;

/** Returns the test files that this process runs on mutants. */
export const currentTests = (): readonly string[] => (process.env[testsVariable] ?? '').split(',');
