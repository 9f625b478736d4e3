/** The scope of mutation testing: which files are mutated, and which test files run on their mutants. */
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';

export interface Part {
  readonly name: string;
  /** Globs of the files to mutate, without those of an earlier part. */
  readonly files: readonly string[];
  /** Globs of the test files, the fastest first: the first failing test ends a mutant. */
  readonly tests: readonly string[];
}

const endpoints = (...names: string[]): string[] => names.map((name) => `test/endpoints/${name}.test.ts`);
const unit = (...names: string[]): string[] => names.map((name) => `test/unit/${name}.test.ts`);

/** Each part has its nearest tests only, because a survivor runs all tests that reach it. */
export const parts: readonly Part[] = [
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
    name: 'events',
    files: ['shared/events/**'],
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
    name: 'webhooks',
    files: ['shared/webhooks/**'],
    tests: [
      ...unit('manage-webhooks', 'health', 'notice-mail', 'openapi-document'),
      ...endpoints('webhook-*', 'webhooks', 'integrations-health', 'subscribers', 'lost-answers'),
    ],
  },
  {
    name: 'sender',
    files: ['shared/deliveries/sender/**'],
    tests: [...unit('signature', 'sender', 'guarded-lookup', 'target-guard'), ...endpoints('deliver')],
  },
  {
    name: 'replays',
    files: ['shared/deliveries/replays/**'],
    tests: [...unit('openapi-document'), ...endpoints('replays')],
  },
  {
    name: 'deliveries',
    files: ['shared/deliveries/**'],
    tests: [
      ...unit('attempt', 'batched-write', 'health', 'lanes', 'schedule', 'openapi-document'),
      ...endpoints('deliver', 'deliver-*', 'deliveries', 'fan-out*', 'subscribers', 'waiting-for', 'request-limits'),
    ],
  },
  {
    name: 'due',
    files: ['shared/due/**'],
    tests: [...unit('sweep', 'due-index'), ...endpoints('sweep')],
  },
];

/** Returns the files of the globs. @throws Error if a glob matches nothing, because its files were moved */
const filesOf = (globs: readonly string[], root: string): string[] =>
  globs.flatMap((glob) => {
    const files = globSync(glob, { cwd: root }).filter((file) => /(?<!\.d)\.ts$/.test(file));
    if (files.length === 0) throw new Error(`No file matches ${glob} of test/mutation/scope.ts.`);
    return files.sort();
  });

/** Returns the files of a part below the root, those that match the glob if there is one. */
export function filesToMutate(part: Part, root: string, glob?: string): readonly string[] {
  const earlier = new Set(parts.slice(0, parts.indexOf(part)).flatMap(({ files }) => filesOf(files, root)));
  return filesOf(part.files, root).filter(
    (file) => !earlier.has(file) && (glob === undefined || file === glob || matchesGlob(file, glob)),
  );
}

/** Returns the test files of a part below the root, in the order in which they run. */
export const testsOf = (part: Part, root: string): readonly string[] => [...new Set(filesOf(part.tests, root))];

/** The environment variable with the part, for the processes that run its tests. */
export const partVariable = 'MUTATION_PART';

/** Returns the part of this process. */
export function currentPart(): Part {
  const part = parts.find(({ name }) => name === process.env[partVariable]);
  if (part === undefined) throw new Error(`${partVariable} is not the name of a part.`);
  return part;
}
