/** The smallest app: one publication, in the account and region of your AWS profile. */
import { App } from 'aws-cdk-lib';
import { Masthead } from 'masthead';

new Masthead(new App(), 'Webhooks', {
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { from: 'desk@fieldnotes.press' },
});
