/** Synthesizes stages: each is a CDK `Stage` with the stacks data, mail, observability and api, and one for each group of functions. */
import { Annotations, App, Stack, Stage } from 'aws-cdk-lib';
import { acknowledgeDecisions } from './acknowledged.ts';
import type { Bundles } from './bundle.ts';
import { functionGroups } from './function-groups.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { FunctionsStack } from './stacks/functions.ts';
import { MailStack } from './stacks/mail.ts';
import { ObservabilityStack } from './stacks/observability.ts';
import { PipelineStack } from './stacks/pipeline.ts';
import type { StageConfig } from './stage.ts';
import { unsetSettings } from './unset-settings.ts';

interface Synthesis {
  /** Whether templates are validated against CloudFormation's schemas and cdk-nag's rules, which takes two thirds of the time. */
  readonly checked: boolean;
  /** The folder to write to. Default: `CDK_OUTDIR`, which the CDK's command line sets. */
  readonly outdir?: string;
}

/**
 * Writes the cloud assembly of the stages and returns its folder.
 * @throws Error if a check has an unacknowledged finding; the findings are printed before
 */
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
      // Only the stage's KMS key is passed between stacks, because `data` must refuse to remove it while the logs use it.
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
      '@aws-cdk/core:validateAgainstDefaultRules': true,
      // Without it, EventBridge of any account could send to a queue that is encrypted with our key.
      '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
    },
  });
  for (const config of configs) addStage(app, config, bundles);
  if (checked) {
    const { check } = await import('./nag.ts');
    check(app);
  }
  return app.synth({ skipValidation: !checked }).directory;
};

/** Adds a stage and its stacks to an app. */
export const addStage = (app: App, config: StageConfig, bundles: Bundles): Stage => {
  const { account, region } = config;
  const stage = new Stage(app, config.name, { env: { ...(region && { region }), ...(account && { account }) } });
  stage.node.setContext('@aws-cdk/core:bootstrapQualifier', config.bootstrapQualifier);
  // CloudFormation puts a stack's tags on its resources; the bill can be split by them.
  const tags = { application: 'masthead', stage: config.name };
  const data = new DataStack(stage, 'data', { config, tags });
  const mail = new MailStack(stage, 'mail', { config, tags });
  const observability = new ObservabilityStack(stage, 'observability', { config, tags, key: data.key });
  const api = new ApiStack(stage, 'api', { config, tags });
  // They refer to each other's resources by name (docs/adr/0005), so CloudFormation does not know the order.
  api.addStackDependency(observability);
  // One after the other: readers must understand a message's new form before anyone sends it.
  let before: readonly Stack[] = [data, mail, api];
  for (const group of functionGroups) {
    const functions = new FunctionsStack(stage, { config, group, tags, bundles });
    for (const stack of before) functions.addStackDependency(stack);
    before = [functions];
  }
  if (config.pipeline) new PipelineStack(stage, 'pipeline', { config, tags, pipeline: config.pipeline });
  acknowledgeDecisions(stage, config);
  refusePlaceholders(app, stage, config);
  return stage;
};

/**
 * Marks every stack of a stage with placeholders with an error, at which `cdk deploy` stops before it calls AWS. The context
 * `placeholders=true`, with which `npm run synth` checks the templates of a fresh clone, omits the mark.
 */
const refusePlaceholders = (app: App, stage: Stage, config: StageConfig): void => {
  const unset = unsetSettings(config);
  if (config.name === 'local' || unset.length === 0 || app.node.tryGetContext('placeholders') === 'true') return;
  const message = [`The stage ${config.name} cannot be deployed yet. Edit infra/cdk/stages.ts:`, ...unset].join('\n  ');
  for (const stack of stage.node.children) if (Stack.isStack(stack)) Annotations.of(stack).addError(message);
};
