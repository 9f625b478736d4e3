/**
 * Writes the cloud assembly of the stages that tests look at into a folder, with nothing in the functions' bundles:
 * `node parts-synthesize.ts <folder>`. A process of its own, since the CDK takes a second to load and most runs find the templates in the cache.
 */
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { emptyBundles, synthesizedStages } from '../infra/stages.ts';

const [outdir = ''] = process.argv.slice(2);
const bundles = emptyBundles();
await synthesize(synthesizedStages, bundles, { checked: false, outdir });
bundles.remove();
