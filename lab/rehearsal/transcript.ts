/** Writes what a rehearsal showed as a page of the documentation, without times and ids, which differ each time. */
import type { SkippedResource } from './leave-out.ts';
import { version } from './moto.ts';
import type { ResourceState } from './resources.ts';
import type { Command } from './run.ts';

export interface Step {
  readonly title: string;
  readonly command: Command;
  readonly output: string;
  readonly resources: readonly ResourceState[];
  readonly expectation: string;
  /** What the step did not show; nothing, if all was as expected. */
  readonly misses: readonly string[];
}

/** Returns the page; `folder` is that of the assemblies, which the page does not show. */
export const transcript = (steps: readonly Step[], skipped: readonly SkippedResource[], folder: string): string => {
  const rows = steps.map(({ title, command, expectation, misses }) => [
    title,
    `\`${shown(command, folder)}\``,
    expectation,
    misses.length === 0 ? 'yes' : `**no**: ${misses.join(', ')}`,
  ]);
  return `${[
    '# Rehearsal',
    `What \`npm --prefix lab run rehearse -- --write lab/reports/rehearsal.md\` showed. It deploys the real templates and bundles of the stage \`dev\`, and then two apps of
[docs/examples](../../docs/examples) with the installed package, with the CDK's command line to [moto](https://docs.getmoto.org) ${version}, an implementation of AWS by others, in memory: no account is used. moto checks the order of
resources, references between them and their attributes, names, and many properties. It does not check IAM at calls, quotas and rates, and it runs no function.`,
    table(['step', 'command', 'expected', 'seen'], rows),
    '## Resources',
    'What each stack has, where it has most:',
    typeTable(steps),
    'How many of them exist, and the state that CloudFormation reports after each step that changed one. ' +
      'moto reports the state of the stack for each of its resources.',
    stateTable(steps),
    '## Not rehearsed',
    skippedTable(skipped),
    `moto skips types that it does not have, with the words in the table; what refers to such a resource is skipped too. moto also executes the
change set of a new stack without the order of \`DependsOn\` ("The REST API doesn't contain any methods"), and fails at two requests of the CDK's default method ("cannot
access local variable 'to_delete'", "KeyError: 'BootstrapVersion'"): hence \`--method direct\` and the parameter. A change of log groups ends in an internal error of
moto, so the changed setting is one of the functions. moto keeps a resource that an update has removed among those that exist, and creates nothing where a later update has it again (\`ResourceMap.update\`); CloudFormation creates it, so
the rehearsal starts moto without that fault (\`lab/rehearsal/moto_server.py\`). \`--import-existing-resources\` needs change sets, so it is not rehearsed. Its CloudFormation does not enable point-in-time recovery, and it restores to one time only, with the present items.
For the doctor it lacks the output of the bootstrap's version and the account settings of SES and Lambda; the settings that stop the stage are the placeholders of a fresh clone. In the bootstrap stack it skips AWS::S3::BucketPolicy.`,
    '## What was printed',
    ...steps.map(({ title, command, output }) => `${title}:\n\n\`\`\`\n${essence(command, output, folder)}\n\`\`\``),
  ].join('\n\n')}\n`;
};

const shown = ({ program, args, installed }: Command, folder: string): string =>
  `${installed === undefined ? `npm run ${program} --` : `npx ${program}`} ${args.map((word) => (word.includes('*') ? `'${word}'` : word.replace(`${folder}/`, ''))).join(' ')}`.replace(
    times,
    '<time>',
  );

/** Times, also those in names, differ each time. */
const times = /\d{4}-\d\d-\d\dT\d\d:?\d\d:?\d\d(\.\d+Z)?/g;

/** A key that a stage was seeded with. */
const keys = /[0-9a-f]{24}:[0-9a-f]{64}/g;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** `35 CREATE_COMPLETE, 4 UPDATE_COMPLETE`. */
const counted = (states: readonly string[]): string =>
  [...Map.groupBy(states, (state) => state)].map(([state, all]) => `${all.length} ${state}`).join(', ') || '–';

/** Stacks with the same resources share a row. */
const typeTable = (steps: readonly Step[]): string => {
  const fullest = new Map<string, readonly ResourceState[]>();
  for (const [stack, resources] of steps.flatMap((step) => [...Map.groupBy(step.resources, (one) => one.stack)]))
    if (resources.length > (fullest.get(stack)?.length ?? 0)) fullest.set(stack, resources);
  const groups = Map.groupBy([...fullest.keys()].sort(), (stack) =>
    counted((fullest.get(stack) ?? []).map(({ type }) => type).sort()),
  );
  return table(
    ['stacks', 'resources'],
    [...groups].map(([types, stacks]) => [stacks.join(', '), types]),
  );
};

const stateTable = (steps: readonly Step[]): string => {
  const stacks = [...new Set(steps.flatMap(({ resources }) => resources.map(({ stack }) => stack)))].sort();
  const seen = steps.filter((step, index) => index === 0 || states(step) !== states(steps[index - 1]));
  return table(
    ['stack', ...seen.map(({ title }) => title.toLowerCase())],
    stacks.map((stack) => [
      stack,
      ...seen.map(({ resources }) => counted(resources.filter((one) => one.stack === stack).map(({ state }) => state))),
    ]),
  );
};

const states = (step: Step | undefined): string =>
  JSON.stringify(step?.resources.map(({ stack, id, state }) => [stack, id, state]));

const skippedTable = (skipped: readonly SkippedResource[]): string => {
  const groups = Map.groupBy(skipped, ({ stack, type, reason }) => [stack, type, reason].join(' | '));
  const rows = [...groups].map(([kind, all]) => [kind, all.map(({ id }) => id).join(', ')]);
  return table(['stack', 'type', "reason (moto's log, or a reference)", 'skipped'], rows);
};

/** Keeps the lines of the CDK that say what happened to a stack. */
const essence = ({ program }: Command, output: string, folder: string): string => {
  if (program === 'ops')
    return output.replace(times, '<time>').replace(keys, '<key>').replaceAll(`${folder}/`, '').trim();
  return output
    .split('\n')
    .filter((line) => /✅|❌|no changes|no resources|destroyed|changeset/.test(line))
    .join('\n');
};
