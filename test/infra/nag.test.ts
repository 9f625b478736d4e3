/** Findings of cdk-nag and CloudFormation's schemas: each one is fixed or acknowledged with a reason. */
import { rmSync } from 'node:fs';
import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { check } from '../../infra/cdk/nag.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { emptyBundles, everything } from './stages.ts';

const folders: string[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('the template checks', () => {
  // `npm run synth` runs them on the other stages, whose features are a subset.
  it('find nothing in a stage with every feature', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const bundles = emptyBundles();
    folders.push(await synthesize([everything], bundles, { checked: true }));
    bundles.remove();
    expect(said.mock.calls).toEqual([]);
  });

  it('find a queue without TLS, which proves that they work', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App({ analyticsReporting: false });
    new Queue(new Stack(app, 'insecure'), 'Queue');
    check(app);
    folders.push(app.outdir);
    expect(() => app.synth()).toThrow(/validation/i);
  });
});
