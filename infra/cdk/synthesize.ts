/** Synthesizes stages of the stage table, each as a construct `Masthead` of one app. */
import { Annotations, App, Stack } from 'aws-cdk-lib';
import type { Bundles } from './bundles.ts';
import { Masthead } from './masthead.ts';
import type { StageConfig } from './stage.ts';
import { unsetSettings } from './unset-settings.ts';

interface Synthesis {
  /** Whether CloudFormation's schemas and cdk-nag check the templates, which takes two thirds of the time. */
  readonly checked: boolean;
  /** The folder to write to. Default: `CDK_OUTDIR`, which the CDK's command line sets. */
  readonly outdir?: string;
}

/** Writes the cloud assembly and returns its folder. @throws Error for unacknowledged findings, which it prints */
export const synthesize = async (
  configs: readonly StageConfig[],
  bundles: Bundles,
  { checked, outdir }: Synthesis,
): Promise<string> => {
  const app = new App({
    ...(outdir && { outdir }),
    analyticsReporting: false,
    builtinCloudFormationValidation: checked,
    // A local stack reads the templates alone; the tree and the stacks of calls take a tenth of the time.
    treeMetadata: checked,
    stackTraces: checked,
    context: {
      // The CDK's command line sets it; the emulator needs it to find the bundles by `aws:asset:path`.
      'aws:cdk:enable-asset-metadata': true,
      '@aws-cdk/core:validateAgainstDefaultRules': true,
    },
  });
  for (const config of configs)
    refusePlaceholders(new Masthead(app, config.name, { ...config.input, name: config.name, bundles }), config);
  if (checked) {
    const { check } = await import('./nag.ts');
    check(app);
  }
  return app.synth({ skipValidation: !checked }).directory;
};

/**
 * Marks every stack of a stage with placeholders with an error, so that `cdk deploy` stops before it calls AWS.
 * `npm run synth` omits it with the context `placeholders=true`, to check the templates of a fresh clone.
 */
const refusePlaceholders = ({ node }: Masthead, config: StageConfig): void => {
  const unset = unsetSettings(config);
  if (config.name === 'local' || unset.length === 0 || node.tryGetContext('placeholders') === 'true') return;
  const message = [`The stage ${config.name} cannot be deployed yet. Edit infra/cdk/stages.ts:`, ...unset].join('\n  ');
  for (const stack of node.children) if (Stack.isStack(stack)) Annotations.of(stack).addError(message);
};
