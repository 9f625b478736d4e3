/** Gives the cloud assembly of the stage `local` (templates and bundles), synthesized by the CDK app, or from the cache. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/masthead/assemblies');
const dayMs = 24 * 60 * 60 * 1000;

/** The CDK app refused; the message is what it said. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

/**
 * Folder of the stage's nested assembly, whole and never changed again: it is named by a hash of all it is made of.
 * @throws SynthesisError with the CDK app's own words when a stage, a stack or a function is wrong.
 */
export async function localAssembly(): Promise<string> {
  const folder = join(cache, hashOfSources());
  if (existsSync(folder)) {
    const now = new Date();
    utimesSync(folder, now, now);
  } else {
    dropOld();
    await synthesizeInto(folder);
  }
  return join(folder, 'assembly-local');
}

async function synthesizeInto(folder: string): Promise<void> {
  // Beside its place and then renamed, so that nobody ever finds half an assembly.
  const unfinished = `${folder}.${process.pid}.${Date.now()}`;
  try {
    await runApp(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been quicker with the same assembly.
    if (!existsSync(folder)) throw error;
  }
}

function runApp(outdir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const app = spawn(process.execPath, ['infra/app.ts'], {
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
      else reject(new SynthesisError(complaint.trim() || `infra/app.ts ended with code ${code}`));
    });
  });
}

function hashOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  const sources = ['infra', 'functions', 'shared'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      // This folder runs the assembly and has no part in making it.
      .filter((file) => !file.startsWith(`infra${sep}local${sep}`)),
  );
  const others = ['package.json', 'package-lock.json', 'docs/openapi.json'].filter((file) =>
    existsSync(join(root, file)),
  );
  for (const file of [...sources.sort(), ...others]) {
    const content = readFileSync(join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

/** An assembly in use is a day old only where a stack has run since yesterday, so those of two days are kept. */
function dropOld(): void {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > 2 * dayMs) rmSync(folder, { recursive: true, force: true });
  }
}
