/** Finds the stage that a command names. */
import { parseStage, type StageConfig } from '../../cdk/stage.ts';
import { stages } from '../../cdk/stages.ts';

/** Returns the stages that are deployed. */
export const deployedStages = Object.keys(stages).filter((name) => name !== 'local');

/** Returns a stage of `infra/cdk/stages.ts`. `argument` is how the command line names it, such as `--stage`. @throws Error if it is not one of `names` */
export const stageOf = (argument: string, name: string, names: readonly string[]): StageConfig => {
  const found = Object.entries(stages).find(([candidate]) => candidate === name && names.includes(candidate));
  if (found !== undefined) return parseStage(...found);
  throw new Error(`${argument} is '${name}'; it must be one of ${names.join(', ')} (infra/cdk/stages.ts).`);
};
