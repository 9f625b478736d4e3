/** Sends what the OpenAPI document allows and forbids to a local stack of its own: schemathesis, from PyPI, generates the requests. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { pythonTool } from '../python-tool.ts';

const version = '4.32.5';

/** Runs it and returns what it printed, and its exit code: 1 for a finding. */
const runWith = async (program: string, args: readonly string[], settings: SpawnOptions): Promise<Ran> => {
  const child = spawn(program, args, { ...settings, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const [code] = await once(child, 'close');
  return { output, code: typeof code === 'number' ? code : 1 };
};

interface Ran {
  readonly output: string;
  readonly code: number;
}

/** The summary of a run, without its time, which differs. */
const pageOf = (output: string, options: readonly string[]): string => {
  const summary = output.slice(output.indexOf('= SUMMARY ='));
  const lines = summary
    .split('\n')
    .slice(1)
    .filter((line) => !/^=+ .*in [\d.]+s/.test(line));
  return `# Schemathesis

Written by \`npm --prefix lab run schemathesis -- --write\`: schemathesis ${version} generates requests from the OpenAPI document and sends them to a stack of its own, as the Owner, with \`${options.join(' ')}\`. A finding is a valid request
that is refused, an invalid one that is accepted, a response that the document does not have, or a 5xx. What a valid request may be refused with, and why, is in [schemathesis.toml](../schemathesis/schemathesis.toml); the hooks beside it
make requests valid by the rules that JSON Schema cannot express.

\`\`\`
${lines.join('\n').trim()}
\`\`\`
`;
};

/** @returns the exit code: 1 for a finding */
const examine = async (options: readonly string[], write: boolean): Promise<number> => {
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
    const { output, code } = await runWith(
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
      },
    );
    if (write && code === 0)
      writeFileSync(join(import.meta.dirname, '../reports/schemathesis.md'), pageOf(output, options));
    return code;
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
    .option('--max-examples <number>', 'How many requests it generates for each operation.', '20')
    .option('--phases <names>', 'Its phases, separated by commas, such as examples,fuzzing.')
    .option('--seed <number>', 'Another seed generates other requests.', '1')
    .option('--write', 'Write lab/reports/schemathesis.md if there was no finding.', false)
    .action(async ({ maxExamples, phases, seed, write }) => {
      const named = { '--max-examples': maxExamples, '--phases': phases, '--seed': seed };
      process.exitCode = await examine(
        Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
        write,
      );
    }),
);
