/** The commands of package.json: each one has a help text, and reports invalid arguments in one line. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { runScript } from '../support/run-script.ts';

const file = join(import.meta.dirname, '../../package.json');
const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(file, 'utf8')),
);

/** The commands of this repository that are files of its own, by name. */
const commands = Object.entries(scripts).flatMap(([name, command]): (readonly [string, string])[] => {
  const [, script] = /^node (?:--\S+ )*(infra\/\S+\.ts)$/.exec(command) ?? [];
  return script === undefined ? [] : [[name, script]];
});

it('package.json has the scripts that a user or a contributor needs, and no more', () => {
  expect(Object.keys(scripts)).toEqual([
    ...['start', 'dev', 'demo', 'token', 'id', 'invoke', 'ops', 'smoke', 'build', 'synth', 'cdk', 'openapi'],
    ...['test', 'test:browser', 'check', 'format'],
  ]);
  expect(commands.length).toBeGreaterThan(8);
});

describe.each(commands)('npm run %s', (name, script) => {
  it('prints its purpose and arguments with --help', async () => {
    const { code, output } = await runScript(script, ['--help']);
    expect(code).toBe(0);
    expect(output.split('\n')[0]).toMatch(new RegExp(`^Usage: .*npm (run (-s )?)?${name} -- `));
    expect(output).toMatch(/-h, --help +Print this text\./);
  });
});

describe('a command reports in one line', () => {
  it.each([
    [
      'an unknown option',
      'infra/ops/ops.ts',
      ['stats', '--jsn'],
      "Unknown option '--jsn'. Did you mean --json? Run with --help for usage.",
    ],
    [
      'an unknown command of a group, with those that it has',
      'infra/ops/ops.ts',
      ['roles', 'rename'],
      "Unknown command 'rename'. It must be one of list. Run with --help for usage.",
    ],
    ['a missing value', 'infra/ops/smoke.ts', ['url', '--mail'], '--mail needs a value. Run with --help for usage.'],
    [
      'a missing argument',
      'infra/local/id.ts',
      [],
      '<kind> is missing: role, webhook, delivery, replay, recovery, integration, key, user, invite, token. ' +
        'Run with --help for usage.',
    ],
    [
      'a superfluous argument',
      'infra/local/token.ts',
      ['Editor', 'Author'],
      "Unexpected argument 'Author'. Run with --help for usage.",
    ],
  ])('%s', async (_what, script, args, sentence) => {
    expect(await runScript(script, args)).toEqual({
      code: 2,
      output: `${sentence}\n`,
    });
  });

  it("a file that does not exist in the user's folder", async () => {
    const { code, output } = await runScript('infra/ops/ops.ts', ['explain-stack', 'no.json'], {
      INIT_CWD: import.meta.dirname,
    });
    expect([code, output]).toEqual([2, 'The file no.json does not exist. Run with --help for usage.\n']);
  });

  it('a key in the environment that is none, instead of a token that no stage accepts', async () => {
    expect(await runScript('infra/local/token.ts', [], { MASTHEAD_KEY: 'hunter2' })).toEqual({
      code: 2,
      output: 'MASTHEAD_KEY does not have the form <id>:<secret>. Run with --help for usage.\n',
    });
  });

  it('an option that npm took for itself, because -- is missing', async () => {
    const { code, output } = await runScript('infra/local/start.ts', [], {
      npm_config_fresh: 'true',
      npm_lifecycle_event: 'start',
    });
    expect(code).toBe(2);
    expect(output).toBe(
      'npm took --fresh as an option of its own. Put -- before it: npm start -- --fresh. Run with --help for usage.\n',
    );
  });

  it.each([
    [
      'a URL that does not answer',
      'http://127.0.0.1:9/ghost/api',
      1,
      /http:\/\/127\.0\.0\.1:9\/ghost\/api\/admin\/roles\/ cannot be reached: /,
    ],
    ['a text that is not a URL', 'localhost', 2, /^<url> is 'localhost'; it must be the base URL of an API, /],
  ])('%s', async (_what, url, exitCode, reason) => {
    const { code, output } = await runScript('infra/ops/smoke.ts', [url], {
      MASTHEAD_KEY: `${'0'.repeat(24)}:${'1'.repeat(64)}`,
    });
    expect(code).toBe(exitCode);
    expect(output).toMatch(reason);
  });
});

it.runIf(process.platform === 'linux')('a command says in one line that its output cannot be written', () => {
  const program = `'${process.execPath}' '${join(import.meta.dirname, '../../infra/local/token.ts')}'`;
  const ran = spawnSync('bash', ['-c', `${program} --help > /dev/full`], { encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([
    1,
    'The output cannot be written: ENOSPC: no space left on device, write\n',
  ]);
});

it.each([
  ['ops', 'ops/ops.ts', '--help'],
  ['token', 'local/token.ts', '--help'],
  ['invoke', 'local/invoke/invoke.ts', 'roles/list'],
])('%s ends without an error if the reader of its output stops reading', (_name, file, args) => {
  const program =
    `'${process.execPath}' --disable-warning=ExperimentalWarning ` +
    `'${join(import.meta.dirname, '../../infra', file)}'`;
  const ran = spawnSync('bash', ['-o', 'pipefail', '-c', `${program} ${args} | true`], { encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});
