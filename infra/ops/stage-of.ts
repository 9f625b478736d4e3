/** Finds the stage that a command names. */
import { Option } from '@commander-js/extra-typings';
import { parseStage } from '../cdk/parse-stage.ts';
import { isPackage } from '../cdk/root.ts';
import type { StageConfig } from '../cdk/stage.ts';
import { stages } from '../cdk/stages.ts';

/** The stages that a command can name; `local` is the stack on this machine. */
export const stageNames = Object.keys(stages);

export const deployedStages = stageNames.filter((name) => name !== 'local');

/** Returns the option `--stage`: one of these stages, or with the package any. Its default is MASTHEAD_STAGE. */
export const stageOption = (names: readonly string[]) =>
  (isPackage
    ? new Option('--stage <stage>', 'The name of a deployed stage, such as prodwebhooks.')
    : new Option('--stage <stage>', 'A stage of infra/cdk/stages.ts.').choices(names)
  ).env('MASTHEAD_STAGE');

/** Returns the configuration of a stage of the table, or of a deployed one. @throws Error if there is none */
export const configOf = async (name: string): Promise<StageConfig> => {
  const found = Object.entries(stages).find(([candidate]) => candidate === name);
  if (found !== undefined) return parseStage(...found);
  return (await import('./deployed-stage.ts')).deployedStage(name);
};
