/**
 * Writes the cloud assembly of the stage `local` into a folder, with nothing in the functions' bundles: `node parts-synthesize.ts <folder>`.
 * A process of its own, since the CDK takes a second to load and most runs find the templates in the cache.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseStage } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { synthesize } from '../../infra/synthesize.ts';

const [folder = ''] = process.argv.slice(2);
const empty = mkdtempSync(join(tmpdir(), 'masthead-bundle-'));
writeFileSync(join(empty, 'index.mjs'), 'export const handler = async () => {};\n');
await synthesize([parseStage('local', stages.local)], { folderOf: () => empty }, { checked: false, outdir: folder });
rmSync(empty, { recursive: true });
