/** Refuses to deploy a stage with settings that an operator must still set. */
import { Annotations, type App, Stack, type Stage } from 'aws-cdk-lib';
import type { StageConfig } from './stage.ts';
import { unsetSettings } from './unset-settings.ts';

/**
 * Marks every stack of a stage with placeholders with an error, at which `cdk deploy` stops before it calls AWS. The context
 * `placeholders=true`, with which `npm run synth` checks the templates of a fresh clone, omits the mark.
 */
export const refusePlaceholders = (app: App, stage: Stage, config: StageConfig): void => {
  const unset = unsetSettings(config);
  if (config.name === 'local' || unset.length === 0 || app.node.tryGetContext('placeholders') === 'true') return;
  const message = [`The stage ${config.name} cannot be deployed yet. Edit infra/cdk/stages.ts:`, ...unset].join('\n  ');
  for (const stack of stage.node.children) if (Stack.isStack(stack)) Annotations.of(stack).addError(message);
};
