/** cdk-nag: the packs that every stage must pass. */
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';

/** Checks every stack of the app when it is synthesized; a finding that nobody acknowledged ends the synth. */
export function check(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}
