/** Two publications in one account and region, which share its concurrent executions and SES's quota. */
import { App } from 'aws-cdk-lib';
import { Masthead } from 'masthead';

const app = new App();
const env = { account: '123456789012', region: 'eu-central-1' };
const shared = { ...env, namePrefix: 'press', concurrency: { deliveries: 100, 'slow-deliveries': 20 } };

new Masthead(app, 'Notes', {
  ...shared,
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { from: 'desk@fieldnotes.press', perSecond: 7, perDay: 25_000 },
});
new Masthead(app, 'Weekly', {
  ...shared,
  publication: { name: 'The Weekly', url: 'https://weekly.press', language: 'de' },
  mail: { from: 'desk@weekly.press', perSecond: 7, perDay: 25_000 },
});
