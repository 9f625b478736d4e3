/**
 * Writes the cloud assembly of the tests' stages, with empty bundles: `node parts-synthesize.ts <folder>`.
 * A separate process, because the CDK takes a second to load, and most runs find the templates in the cache.
 */
import { join } from 'node:path';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { emptyBundles, synthesizedStages } from '../infra/stages.ts';

const [outdir = ''] = process.argv.slice(2);
const bundles = emptyBundles();
for (const stage of synthesizedStages)
  await synthesize([stage], bundles, { checked: false, outdir: join(outdir, stage.name) });
const union = parseStage('local', { ...stages.local, transactionGrants: 'union' });
await synthesize([union], bundles, { checked: false, outdir: join(outdir, 'union') });
bundles.remove();
