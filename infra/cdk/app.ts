/** The CDK app: synthesizes the stages of `stages.ts`, or only the one that `STAGE` names. */
import { BundleError, bundleFunctions } from './bundle.ts';
import { parseStage, StageError } from './stage.ts';
import { stages } from './stages.ts';

/** @throws StageError when `STAGE` names no stage, or a stage is wrong */
const chosenStages = () => {
  const chosen = process.env.STAGE;
  if (chosen && !Object.hasOwn(stages, chosen)) {
    throw new StageError(`STAGE is ${JSON.stringify(chosen)}; it must be one of: ${Object.keys(stages).join(', ')}.`);
  }
  return Object.entries(stages)
    .filter(([name]) => !chosen || name === chosen)
    .map(([name, input]) => parseStage(name, input));
};

try {
  const configs = chosenStages();
  // Importing the CDK takes a second; esbuild runs in its own process meanwhile.
  const [bundles, { synthesize }] = await Promise.all([bundleFunctions(), import('./synthesize.ts')]);
  // The local stage is never deployed, and `npm start` waits for it; `npm run synth` checks it with the others.
  const checked = configs.some(({ name }) => name !== 'local');
  await synthesize(configs, bundles, { checked });
} catch (error) {
  if (!(error instanceof StageError || error instanceof BundleError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
