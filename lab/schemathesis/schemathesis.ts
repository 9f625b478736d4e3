/** Sends what the OpenAPI document allows and forbids to a local stack of its own: schemathesis, from PyPI, generates the requests. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { command, run } from '../../infra/command-line/command.ts';
import { runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { pythonTool } from '../python-tool.ts';

const version = '4.32.5';

/** @returns the exit code: 1 for a finding */
const examine = async (options: readonly string[]): Promise<number> => {
  const bin = pythonTool({ name: 'schemathesis', version });
  if (bin === undefined) {
    console.log('schemathesis is skipped: this machine has no Python 3 with venv.');
    return 0;
  }
  const home = temporaryHome();
  const stack = await runStack(home.folder, ['--memory', '--quiet']);
  try {
    const { baseUrl, staffKeys } = stack.stack;
    const { status } = spawnSync(
      join(bin, 'schemathesis'),
      [
        ...['--config-file', join(import.meta.dirname, 'schemathesis.toml')],
        ...['run', `${baseUrl}/admin/openapi.json/`, '--url', baseUrl, '--no-color', ...options],
      ],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: 'hooks',
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: '1',
          MASTHEAD_KEY: staffKeys.Owner,
        },
        cwd: home.folder,
      },
    );
    return status ?? 1;
  } finally {
    await stack.end('SIGTERM');
    home.remove();
  }
};

await run(
  command('npm --prefix lab run schemathesis --')
    .description(
      `Runs schemathesis ${version} against a local stack of its own; every finding is a difference between the OpenAPI document and the code.`,
    )
    .option('--max-examples <number>', 'How many requests it generates for each operation.')
    .option('--phases <names>', 'Its phases, separated by commas, such as examples,fuzzing.')
    .option('--seed <number>', 'Repeats the requests of an earlier run.')
    .action(async (options) => {
      const named = { '--max-examples': options.maxExamples, '--phases': options.phases, '--seed': options.seed };
      process.exitCode = await examine(
        Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
      );
    }),
);
