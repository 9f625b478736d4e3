/** The stage of the rehearsal: `dev` of `stages.ts`, in moto's account and without placeholders. */
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import type { StageConfig } from '../../infra/cdk/stage.ts';
import { stages } from '../../infra/cdk/stages.ts';

export const account = '123456789012';
export const { region } = stages.dev;

/** Returns the stage with some settings changed, or under another name. @throws StageError */
export const rehearsedStage = (changed: unknown = {}, name = 'dev'): StageConfig =>
  parseStage(name, {
    ...stages.dev,
    account,
    publication: { name: 'Rehearsal', url: 'https://rehearsal.press' },
    mail: { ...stages.dev.mail, from: 'desk@rehearsal.press' },
    ...Object(changed),
  });
