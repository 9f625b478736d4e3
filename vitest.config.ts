import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { compileCache } from './infra/emulator/lambda/compile-cache.ts';
import './test/support/own-environment.ts';
import { clientModules, patient } from './test/support/patient-clients.ts';

// Tests start commands and applications about two hundred times: compiling their modules takes half of their time.
process.env.NODE_COMPILE_CACHE ??= compileCache;

/** `npm --prefix lab run test:long` runs them: all attacks, whole templates, killed stacks, many commands. */
const long = [
  'endpoints/attack-all',
  'endpoints/attack-classes',
  'infra/nag',
  'infra/package',
  'local/commands',
  'local/prove',
  'local/readme',
  'local/dev-loop',
  'local/paths',
  'local/restart',
  'local/invoke',
  'local/redrive',
  'local/doctor',
  'local/home',
  'local/restore',
  'local/secrets',
  'local/seed',
  'local/import-ghost',
  'local/import-ghost-faults',
  'local/import-ghost-kills-switch',
  'local/import-ghost-kills-undo',
].map((name) => `test/${name}.test.ts`);

/** They read `/proc`, which only Linux has. */
const forLinux = process.platform === 'linux' ? [] : ['test/local/ports.test.ts', 'test/local/restart.test.ts'];
if (forLinux.length > 0) console.warn(`Skipped, because only Linux has /proc: ${forLinux.join(', ')}`);

/** They test how long AWS clients wait. */
const forClients = ['test/unit/client-timeouts.test.ts', 'test/unit/client-settings.test.ts'];

/** For tests that import modules of functions. Those that call functions get them compiled so. */
const patientClients: Plugin = {
  name: 'patient-clients',
  enforce: 'pre',
  transform: { filter: { id: clientModules }, handler: patient },
};

/** Those first that have a process of their own: they run stacks, and none of them ends the run alone. */
class OwnProcessFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [true, false].flatMap((isolate) => sorted.filter(({ project }) => project.config.isolate === isolate));
  }
}

const limits = {
  // Files that run stacks wait for them about as long as they compute: half as many workers again use the cores fully.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // For what hangs. A busy machine is only slow, and no test is about how quick it is.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 240_000 } },
  // Requests and answers are short-lived: with room for them, less is copied.
  execArgv: ['--max-semi-space-size=64'],
  // What a test prints is shown if it fails.
  silent: 'passed-only' as const,
};

export default defineConfig({
  test: {
    ...limits,
    globalSetup: ['test/support/parts-setup.ts'],
    // Test files run functions that are compiled from these, and do not import them.
    forceRerunTriggers: ['functions', 'shared'].map((folder) => join(import.meta.dirname, folder, '**')),
    sequence: { sequencer: OwnProcessFirst },
    projects: [
      {
        test: {
          ...limits,
          name: 'own process',
          include: ['test/local/**/*.test.ts', ...forClients],
          exclude: [...long, ...forLinux],
        },
      },
      { plugins: [patientClients], test: { ...limits, name: 'long', include: long, exclude: forLinux } },
      {
        plugins: [patientClients],
        test: {
          ...limits,
          name: 'shared process',
          include: ['test/{endpoints,unit,fan-out,examples,infra,house}/**/*.test.ts'],
          exclude: [...long, ...forClients],
          setupFiles: ['test/support/own-time.ts', 'test/support/leave-as-found.ts'],
          // A loop over nothing would check nothing.
          expect: { ...limits.expect, requireAssertions: true },
          env: { LOG_LEVEL: 'SILENT' },
          // Starting a process and loading the SDK takes longer than most files. Each has its own modules and table.
          isolate: false,
        },
      },
    ],
  },
});
