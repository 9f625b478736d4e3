/** Finds the stage that a command names. */
import { Option } from '@commander-js/extra-typings';
import { parseStage } from '../cdk/parse-stage.ts';
import type { StageConfig } from '../cdk/stage.ts';
import { stages } from '../cdk/stages.ts';

/** The stages that a command can name; `local` is the stack on this machine. */
export const stageNames = Object.keys(stages);

/** The stages that are deployed. */
export const deployedStages = stageNames.filter((name) => name !== 'local');

/** Returns the option `--stage`, which names one of these stages. */
export const stageOption = (names: readonly string[]) =>
  new Option('--stage <stage>', 'A stage of infra/cdk/stages.ts.').choices(names);

/** Returns the configuration of a stage whose name is a choice of `stageOption`. */
export const configOf = (name: string): StageConfig => {
  const found = Object.entries(stages).find(([candidate]) => candidate === name);
  if (found === undefined) throw new Error(`infra/cdk/stages.ts has no stage '${name}'.`);
  return parseStage(...found);
};
