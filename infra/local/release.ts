/** `npm --prefix lab run release -- <version>`: sets version and changelog, makes the package; publishes nothing. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { release } from '../cdk/release.ts';
import { root } from '../cdk/root.ts';
import { command, run } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { released } from './released.ts';

/** What names the version in `User-Agent`; `test/unit/attempt.test.ts` compares them. */
const naming = [
  'shared/deliveries/attempt/attempt.ts',
  'functions/deliveries/read.ts',
  'functions/webhooks/preview.ts',
  'docs/ghost.md',
  'docs/openapi.json',
];
const userAgent = (version: string): string => `Masthead/${version.replace(/\.\d+$/, '')}`;

/** Runs npm in the project and returns what it printed. @throws Error if it fails */
const npm = (...args: readonly string[]): string => {
  const { status, stdout } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed.`);
  return stdout.trim();
};

await run(
  command('npm --prefix lab run release --')
    .description(
      'Makes a release: sets the version, gives it the section Unreleased of CHANGELOG.md, and makes the package. ' +
        'Commit, tag and publish it yourself.',
    )
    .argument('<version>', 'Such as 0.2.0.')
    .action((version) => {
      const file = join(root, 'CHANGELOG.md');
      const before = release.version;
      const changed = released(readFileSync(file, 'utf8'), {
        version,
        before,
        date: new Date().toISOString().slice(0, 10),
      });
      if ('fault' in changed) throw new UsageError(changed.fault);
      npm('version', version, '--no-git-tag-version');
      writeFileSync(file, changed.changelog);
      for (const name of naming) {
        const text = readFileSync(join(root, name), 'utf8');
        writeFileSync(join(root, name), text.replaceAll(userAgent(before), userAgent(version)));
      }
      console.log(npm('--prefix', 'lab', 'run', '-s', 'package'));
    }),
);
