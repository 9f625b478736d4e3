/** A permissions boundary that `cdk.json` names, as docs/operations.md describes: every role of every stage has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { Masthead } from '../../infra/cdk/masthead.ts';
import { readTemplates } from './resolved.ts';
import { emptyBundles, everything } from './stages.ts';

const operations = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

it('the documented lines of cdk.json give every role of a stage the permissions boundary', () => {
  const [, lines = ''] = /## A permissions boundary[\s\S]*?```json\n([\s\S]*?)```/.exec(operations) ?? [];
  const bundles = emptyBundles();
  const app = new App({
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    context: JSON.parse(`{${lines}}`).context,
  });
  new Masthead(app, 'everything', { ...everything.input, bundles });
  const { directory } = app.synth({ skipValidation: true });
  bundles.remove();
  const roles = readTemplates(directory, 'everything').filter(({ type }) => type === 'IAM::Role');
  expect(roles.length).toBeGreaterThan(60);
  const boundaries = new Set(roles.map(({ properties }) => JSON.stringify(properties.PermissionsBoundary)));
  expect([...boundaries]).toEqual([expect.stringContaining('policy/engineering-boundary')]);
});
