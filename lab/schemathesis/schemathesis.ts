/** Sends what the OpenAPI document allows and forbids to its own local stack: schemathesis generates the requests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as v from 'valibot';
import { adminToken } from '../../infra/command-line/admin-token.ts';
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
    const ids = v.object({ users: v.tuple([v.object({ id: v.string() })]) });
    const headers = { Authorization: `Ghost ${adminToken(staffKeys.Owner ?? '')}` };
    const me: unknown = await (await fetch(`${baseUrl}/admin/users/me/`, { headers })).json();
    const [{ id: owner }] = v.parse(ids, me).users;
    const child = spawn(
      join(bin, 'schemathesis'),
      [
        ...['--config-file', join(import.meta.dirname, 'schemathesis.toml')],
        ...['run', `${baseUrl}/admin/openapi.json/`, '--url', baseUrl, '--no-color', ...options],
      ],
      {
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: 'hooks',
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: '1',
          MASTHEAD_KEY: staffKeys.Owner,
          MASTHEAD_OWNER: owner,
        },
        cwd: home.folder,
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const [code] = await once(child, 'close');
    return typeof code === 'number' ? code : 1;
  } finally {
    await stack.end('SIGTERM');
    home.remove();
  }
};

await run(
  command('npm --prefix lab run schemathesis --')
    .description(
      `Runs schemathesis ${version} against a local stack of its own; ` +
        'every finding is a difference between the OpenAPI document and the code.',
    )
    .option('--max-examples <number>', 'How many requests it generates for each operation.', '20')
    .option('--phases <names>', 'Its phases, separated by commas, such as examples,fuzzing.')
    .option('--seed <number>', 'Another seed generates other requests.', '1')
    .action(async ({ maxExamples, phases, seed }) => {
      const named = { '--max-examples': maxExamples, '--phases': phases, '--seed': seed };
      process.exitCode = await examine(
        Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
      );
    }),
);
