/** The stages that a synth is for. */
import { parseStage, StageError } from './parse-stage.ts';
import type { StageConfig } from './stage.ts';
import { stages } from './stages.ts';

/**
 * Returns the stage with this name, or every stage that can be deployed.
 * @throws StageError when there is no such stage, or a stage is wrong
 */
export const chosenStages = (chosen?: string): readonly StageConfig[] => {
  if (chosen && !Object.hasOwn(stages, chosen)) {
    throw new StageError(`STAGE is ${JSON.stringify(chosen)}; it must be one of: ${Object.keys(stages).join(', ')}.`);
  }
  return Object.entries(stages)
    .filter(([name]) => (chosen ? name === chosen : name !== 'local'))
    .map(([name, input]) => parseStage(name, input));
};
