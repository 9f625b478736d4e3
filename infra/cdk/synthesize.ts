/** Makes the cloud assembly of some stages: each is a `Stage` of the stacks data, mail, observability and service. */
import { App, Stage } from 'aws-cdk-lib';
import { acknowledgeDecisions } from './acknowledged.ts';
import type { Bundles } from './bundle.ts';
import { DataStack } from './stacks/data.ts';
import { MailStack } from './stacks/mail.ts';
import { ObservabilityStack } from './stacks/observability.ts';
import { ServiceStack } from './stacks/service.ts';
import type { StageConfig } from './stage.ts';

interface Synthesis {
  /** Whether templates are held against CloudFormation's schemas and cdk-nag's rules, which takes two thirds of the time. */
  readonly checked: boolean;
  /** Where to write; where `CDK_OUTDIR` says, as the CDK's command line wants it, unless said otherwise. */
  readonly outdir?: string;
}

/**
 * Writes the cloud assembly of the stages and gives its folder.
 * @throws when a check finds what nobody acknowledged; the findings stand on the console by then
 */
export async function synthesize(
  configs: readonly StageConfig[],
  bundles: Bundles,
  { checked, outdir }: Synthesis,
): Promise<string> {
  const app = new App({
    ...(outdir && { outdir }),
    analyticsReporting: false,
    builtinCloudFormationValidation: checked,
    context: {
      // Also without the command line: the local stack finds the bundles by `aws:asset:path`.
      'aws:cdk:enable-asset-metadata': true,
      // The stack `data` must refuse to give up what the stack `service` uses.
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
      '@aws-cdk/core:validateAgainstDefaultRules': true,
      // Without it any account's EventBridge could send into a queue that is encrypted with a key of ours.
      '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
    },
  });
  for (const config of configs) addStage(app, config, bundles);
  if (checked) {
    const { check } = await import('./nag.ts');
    check(app);
  }
  return app.synth().directory;
}

/** Adds a stage and its stacks to an app. */
export function addStage(app: App, config: StageConfig, bundles: Bundles): Stage {
  const account = process.env.CDK_DEFAULT_ACCOUNT;
  const stage = new Stage(app, config.name, {
    env: { ...(config.region && { region: config.region, ...(account && { account }) }) },
  });
  const data = new DataStack(stage, 'data', { config });
  const mail = new MailStack(stage, 'mail', { config });
  const observability = new ObservabilityStack(stage, 'observability', { config, key: data.key });
  const service = new ServiceStack(stage, 'service', { config, bundles, data });
  // It speaks of their parts by name, which ties no knot that a later deployment would have to cut.
  service.addStackDependency(mail);
  service.addStackDependency(observability);
  acknowledgeDecisions(stage, config);
  return stage;
}
