/** `npm --prefix lab run release -- <version>`: makes a release: its version, its section of the changelog, and its package. It commits and publishes nothing. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { release } from '../cdk/release.ts';
import { root } from '../cdk/root.ts';
import { command, run } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { released } from './released.ts';

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
      'Makes a release: sets the version, gives it the section Unreleased of CHANGELOG.md, and makes the package. Commit, tag and publish it yourself.',
    )
    .argument('<version>', 'Such as 0.2.0.')
    .action((version) => {
      const file = join(root, 'CHANGELOG.md');
      const changed = released(readFileSync(file, 'utf8'), {
        version,
        before: release.version,
        date: new Date().toISOString().slice(0, 10),
      });
      if ('fault' in changed) throw new UsageError(changed.fault);
      npm('version', version, '--no-git-tag-version');
      writeFileSync(file, changed.changelog);
      console.log(npm('--prefix', 'lab', 'run', '-s', 'package'));
    }),
);
