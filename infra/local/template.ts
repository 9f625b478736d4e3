/** Returns the cloud assembly of the stage `local`, from the CDK app or the cache, and bundles its functions. */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { cached } from '../cdk/cache.ts';
import { root } from '../cdk/root.ts';

export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

/**
 * Returns the assembly's folder, which never changes: its name is a hash of its sources. Bundles only what a stack
 * needs before it is ready; `bundleOthers` bundles the rest.
 * @throws SynthesisError with the output of the CDK app if a stage, a stack or a function is invalid
 */
export const localAssembly = async (): Promise<string> => {
  const sources = {
    folders: ['infra/cdk', 'functions', 'shared', 'web'],
    files: ['package.json', 'docs/openapi.json', 'docs/receiving.md'],
  };
  // Separate processes: esbuild asks its parent for Node's modules, and the CDK app could not answer for a second.
  const synthesize = async (outdir: string) => {
    const programs = [
      runProgram('infra/cdk/app.ts', { STAGE: 'local', BUNDLES: 'later', CDK_OUTDIR: outdir }),
      // For such a short run, esbuild's garbage collector would take a third of the time.
      runProgram('infra/cdk/bundle.ts', { BUNDLES: 'first', GOGC: '400' }),
    ];
    await Promise.allSettled(programs);
    await Promise.all(programs);
  };
  return cached('assemblies', sources, synthesize);
};

/**
 * Bundles the functions that have no bundle yet, while the stack runs and with a lower priority.
 * @throws SynthesisError with the output of the bundler if a function does not compile
 */
export const bundleOthers = (ended: AbortSignal): Promise<void> => runProgram('infra/cdk/bundle.ts', {}, ended);

const runProgram = (file: string, environment: NodeJS.ProcessEnv, whileRunning?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const program = spawn(process.execPath, [file], {
      cwd: root,
      env: { ...process.env, ...environment, FORCE_COLOR: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(whileRunning && { signal: whileRunning }),
    });
    // Inherited by esbuild's own process.
    if (whileRunning && program.pid !== undefined) setPriority(program.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let complaint = '';
    program.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    program.on('error', reject);
    program.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new SynthesisError(complaint.trim() || `${file} ended with code ${code}`));
    });
  });
