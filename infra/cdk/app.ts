/**
 * The CDK app: synthesizes the deployable stages of `stages.ts`, or only the one that `STAGE` names.
 * With `BUNDLES=later` nothing is bundled: the emulator can run the result, but it cannot be deployed.
 */

import { bundleFunctions, placesOfBundles } from './bundle.ts';
import { BundleError } from './bundle-error.ts';
import { chosenStages } from './chosen-stages.ts';
import { StageError } from './parse-stage.ts';

try {
  const configs = chosenStages(process.env.STAGE);
  // Importing the CDK takes a second; meanwhile esbuild runs in its own process.
  const bundle = process.env.BUNDLES === 'later' ? placesOfBundles : bundleFunctions;
  const [bundles, { synthesize }] = await Promise.all([bundle(), import('./synthesize.ts')]);
  // The local stage is never deployed, and `npm start` waits for it; test/infra/nag.test.ts checks it.
  const checked = configs.some(({ name }) => name !== 'local');
  await synthesize(configs, bundles, { checked });
} catch (error) {
  if (!(error instanceof StageError || error instanceof BundleError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
