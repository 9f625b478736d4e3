/** The rule packs of cdk-nag that every stage must pass. */
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';

/** Checks every stack of the app at synth; an unacknowledged finding fails the synth. */
export const check = (app: App): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
};
