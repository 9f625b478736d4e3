/** Gives the cloud assembly of the stage `local` (templates and bundles), synthesized by the CDK app, or from the cache. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cached, root } from '../cdk/cache.ts';

/** The CDK app refused; the message is what it said. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

/**
 * Folder of the stage's nested assembly, whole and never changed again: it is named by a hash of all it is made of.
 * @throws SynthesisError with the CDK app's own words when a stage, a stack or a function is wrong.
 */
export const localAssembly = async (): Promise<string> => {
  const sources = {
    folders: ['infra/cdk', 'functions', 'shared', 'web'],
    files: ['package.json', 'docs/openapi.json'],
  };
  return join(await cached('assemblies', sources, runApp), 'assembly-local');
};

const runApp = (outdir: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const app = spawn(process.execPath, ['infra/cdk/app.ts'], {
      cwd: root,
      env: { ...process.env, STAGE: 'local', CDK_OUTDIR: outdir, FORCE_COLOR: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaint = '';
    app.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    app.on('error', reject);
    app.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new SynthesisError(complaint.trim() || `infra/cdk/app.ts ended with code ${code}`));
    });
  });
