/** Returns the cloud assembly of the stage `local` (templates and bundles), synthesized by the CDK app or from the cache. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cached, root } from '../cdk/cache.ts';

/** The CDK app failed; the message is its output. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

/**
 * Returns the folder of the stage's nested assembly, which is complete and never changes: its name is a hash of its sources.
 * @throws SynthesisError with the output of the CDK app if a stage, a stack or a function is invalid.
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
