/** The stages that a synth is for. */
import { parseStage, StageError } from './parse-stage.ts';
import { wrongTogether } from './shared-account.ts';
import type { StageConfig } from './stage.ts';
import { stages } from './stages.ts';

/** Returns the stage of this name, or all that can be deployed. @throws StageError for no such stage, or a wrong one */
export const chosenStages = (chosen?: string): readonly StageConfig[] => {
  if (chosen && !Object.hasOwn(stages, chosen)) {
    throw new StageError(`STAGE is ${JSON.stringify(chosen)}; it must be one of: ${Object.keys(stages).join(', ')}.`);
  }
  if (chosen === 'local') return [parseStage(chosen, stages.local)];
  const deployed = deployedStages();
  const faults = wrongTogether(deployed);
  if (faults.length > 0)
    throw new StageError(
      `infra/cdk/stages.ts: the stages are not valid together.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  return deployed.filter(({ name }) => !chosen || name === chosen);
};

/** Returns every stage that can be deployed. @throws StageError when one is wrong */
export const deployedStages = (): readonly StageConfig[] =>
  Object.entries(stages)
    .filter(([name]) => name !== 'local')
    .map(([name, input]) => parseStage(name, input));
