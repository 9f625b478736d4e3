/** The stage that a command is about. */
import { parseStage, type StageConfig } from '../stage.ts';
import { stages } from '../stages.ts';
import { OpsError } from './ops-error.ts';

/** @throws OpsError where `infra/stages.ts` has no such stage, or it is the one that is never deployed */
export function stageOf(name: string | undefined): StageConfig {
  const deployed = Object.entries(stages).filter(([candidate]) => candidate !== 'local');
  const found = deployed.find(([candidate]) => candidate === name);
  if (found !== undefined) return parseStage(...found);
  const known = deployed.map(([candidate]) => candidate).join(', ');
  throw new OpsError(
    name === undefined ? `--stage is missing: one of ${known}` : `--stage ${name} is none of infra/stages.ts: ${known}`,
  );
}
