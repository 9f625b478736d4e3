/** The stage that a command is about. */
import { parseStage, type StageConfig } from '../../cdk/stage.ts';
import { stages } from '../../cdk/stages.ts';
import { OpsError } from './ops-error.ts';

interface Asked {
  /** What the stage is called on the command line, such as `--stage`. */
  readonly argument: string;
  /** Whether the command also works on the stack that runs on this machine. */
  readonly orLocal: boolean;
}

/** @throws OpsError where `infra/cdk/stages.ts` has no such stage, or it is `local` and the command is about deployed ones only */
export const stageOf = (name: string | undefined, { argument, orLocal }: Asked): StageConfig => {
  const possible = Object.entries(stages).filter(([candidate]) => orLocal || candidate !== 'local');
  const found = possible.find(([candidate]) => candidate === name);
  if (found !== undefined) return parseStage(...found);
  const known = possible.map(([candidate]) => candidate).join(', ');
  throw new OpsError(
    name === undefined
      ? `${argument} is missing: one of ${known}`
      : `${argument} ${name} is none of infra/cdk/stages.ts: ${known}`,
  );
};
