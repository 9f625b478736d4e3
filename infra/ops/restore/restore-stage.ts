/**
 * Restores a stage's table as of a second of the last 35 days to a new table. Then copies lost items back, or
 * prepares the new table to take over. A stopped run continues.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { physicalName, tableName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { print } from '../../command-line/print.ts';
import { type Counts, compare, noCounts } from './compare.ts';
import { type Progress, type ProgressFile, progressFile } from './progress.ts';
import { protect, restorableWindow, restoreBeside } from './restored-table.ts';

interface Plan {
  readonly config: StageConfig;
  readonly at: Date;
  readonly way: 'copy' | 'switch';
  /** Beginnings of partition keys; undefined for all. */
  readonly only: readonly string[] | undefined;
  readonly isDry: boolean;
  readonly source: string;
  readonly target: string;
}

interface Options {
  readonly at: Date;
  readonly only?: string | undefined;
  readonly all?: true | undefined;
  readonly switch?: true | undefined;
  readonly dryRun: boolean;
}

/** @throws UsageError if no way is chosen */
export const planOf = (config: StageConfig, options: Options): Plan => {
  const { at } = options;
  if (options.only === undefined && !options.all && !options.switch)
    throw new UsageError('One of --only, --all and --switch is needed.');
  const second = at.toISOString().slice(0, 19).replaceAll(':', '');
  return {
    config,
    at,
    way: options.switch === true ? 'switch' : 'copy',
    only: options.only?.split(',').map((one) => one.trim()),
    isDry: options.dryRun,
    source: tableName(config),
    target: physicalName(config, 'restored', second),
  };
};

const describe = ({ at, way, only }: Plan): string =>
  `${at.toISOString()} ${way === 'switch' ? '--switch' : only === undefined ? '--all' : `--only ${only.join(',')}`}`;

const stepsOf = ({ config, at, way, only, source, target }: Plan): string[] => [
  `Restore ${source} at ${at.toISOString()} to the new table ${target}, and wait until it is active.`,
  ...(way === 'copy'
    ? [
        `Copy the items of ${target}${only === undefined ? '' : ` in ${only.join(', ')}`} that ${source} lacks to ` +
          `${source}.`,
        `Verify that ${source} has every one of them.`,
        `Check time to live, point-in-time recovery${config.retain ? ' and deletion protection' : ''} of ${source}.`,
        `Then, by hand: aws dynamodb delete-table --table-name ${target}`,
      ]
    : [
        `Count the items of ${source} that ${target} lacks: they were written after that second, and are lost by ` +
          'the switch.',
        `Enable time to live, point-in-time recovery${config.retain ? ' and deletion protection' : ''} on ${target}.`,
        `Then, by hand: set tableName: '${target}' for ${config.name} in infra/cdk/stages.ts, and npm run cdk -- ` +
          `deploy '${config.name}/*'`,
      ]),
];

/** @throws Error of DynamoDB, if the second cannot be restored, or if items are missing after the copy */
export const restoreStage = async (plan: Plan): Promise<void> => {
  const { config, at, source, target, isDry } = plan;
  const client = new DynamoDBClient({ ...(config.region !== null && { region: config.region }), maxAttempts: 8 });
  const steps = stepsOf(plan);
  const file = progressFile(config.name);
  const before = file.read(describe(plan));
  if (before === undefined) {
    const { earliest, latest } = await restorableWindow(client, source);
    if (at < earliest || at > latest)
      throw new Error(
        `${source} can be restored from ${earliest.toISOString()} to ${latest.toISOString()}; ` +
          `--at is ${at.toISOString()}.`,
      );
  } else print(`Continues at the step ${before.step}.`);
  if (isDry) {
    print(steps.map((text, index) => `${index + 1}. ${text}`).join('\n'));
    return;
  }
  const run = new Run(
    client,
    plan,
    file,
    before ?? { plan: describe(plan), target, step: 'restore', counts: noCounts },
  );
  await run.toTheEnd();
  print(steps.at(-1) ?? '');
};

/** One run of a plan: each step is recorded before the next one begins. */
class Run {
  private readonly client: DynamoDBClient;
  private readonly plan: Plan;
  private readonly file: ProgressFile;
  private progress: Progress;

  constructor(client: DynamoDBClient, plan: Plan, file: ProgressFile, progress: Progress) {
    this.client = client;
    this.plan = plan;
    this.file = file;
    this.progress = progress;
  }

  async toTheEnd(): Promise<void> {
    const { source, target, at, config, way } = this.plan;
    const live = way === 'copy' ? source : target;
    if (this.progress.step === 'restore') {
      this.file.write(this.progress);
      await restoreBeside(this.client, { source, target, at }, (status) => print(`${target} is ${status}`));
      print(`${target} has the content of ${at.toISOString()}.`);
      this.begin(way === 'copy' ? 'copy' : 'verify');
    }
    if (this.progress.step === 'copy') {
      const { compared, copied, missing } = await this.compare(target, source, true);
      print(`${compared} items compared, ${copied} copied back${listOf(missing)}.`);
      this.begin('verify');
    }
    if (this.progress.step === 'verify') {
      const [from, to] = way === 'copy' ? [target, source] : [source, target];
      const { compared, missing } = await this.compare(from, to, false);
      const count = sumOf(missing);
      print(`${compared} items of ${from} compared: ${to} lacks ${count}${listOf(missing)}.`);
      if (way === 'copy' && count > 0) {
        // They were deleted between the copy and this step; the next run copies again.
        this.begin('copy');
        throw new Error(`${source} lacks ${count} items. Run this again.`);
      }
      this.begin('protect');
    }
    const enabled = await protect(this.client, live, config.retain);
    print(`${live}: ${enabled.length === 0 ? 'protected as before' : `enabled ${enabled.join(', ')}`}.`);
    this.file.remove();
  }

  private begin(step: Progress['step']): void {
    const { plan, target } = this.progress;
    this.progress = { plan, target, step, counts: noCounts };
    this.file.write(this.progress);
  }

  private compare(from: string, to: string, copy: boolean): Promise<Counts> {
    const { cursor, counts } = this.progress;
    return compare(this.client, {
      from,
      to,
      copy,
      only: this.plan.only,
      cursor,
      counts,
      onPage: (next, counted) => {
        if (next === undefined) return;
        this.progress = { ...this.progress, cursor: next, counts: counted };
        this.file.write(this.progress);
      },
    });
  }
}

const sumOf = (missing: Counts['missing']): number => Object.values(missing).reduce((sum, count) => sum + count, 0);

/** ` (WEBHOOK# 3, EVENT# 12)`, or nothing. */
const listOf = (missing: Counts['missing']): string => {
  const all = Object.entries(missing)
    .map(([beginning, count]) => `${beginning} ${count}`)
    .sort();
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
};
