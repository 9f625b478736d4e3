/** Commands run in any folder: with an apostrophe, a space or other letters in its path, and through a link. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject } from '../support/project-copy.ts';

const run = promisify(execFile);
const project = copyProject();
afterAll(() => project.remove());

describe.each([
  ['with an apostrophe', project.copy],
  ['behind a symbolic link', project.link],
])('in a folder %s', (_name, folder) => {
  // Not the default one, for which the printed command is `npm run demo`.
  const home = join(folder, 'its home');
  const environment = { ...process.env, MASTHEAD_HOME: home, PORT: '0' };
  const node = (...args: readonly string[]) =>
    run(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { cwd: folder, env: environment });
  const start = ['--disable-warning=ExperimentalWarning', 'infra/local/start.ts', '--memory'];
  let printed = '';
  let end = async (): Promise<void> => {};

  beforeAll(async () => {
    // Otherwise the stack would do this while the tests run.
    await node('infra/cdk/bundle.ts');
    const stack = spawn(process.execPath, start, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ready = Promise.withResolvers<void>();
    stack.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Masthead is ready')) ready.resolve();
    });
    stack.on('exit', (code) => ready.reject(new Error(`npm start ended with code ${code}: ${printed}`)));
    end = async () => {
      const exited = once(stack, 'exit');
      if (stack.kill('SIGTERM')) await exited;
    };
    await ready.promise;
  });
  afterAll(() => end());

  it('npm start runs a stack whose demo delivers a webhook and a mail', async () => {
    const { stdout } = await node('infra/local/demo/demo.ts');
    expect(stdout).toContain('post.published');
    expect(stdout).toMatch(/\/invitation\//);
  });

  it('the printed commands can be pasted into a shell', async () => {
    const [command = ''] = printed.split('\n').filter((line) => line.trim().startsWith('MASTHEAD_HOME='));
    const { stdout } = await run('sh', ['-c', command], { cwd: '/' });
    expect(stdout).toContain('post.published');
  });

  it('npm run invoke runs one function', async () => {
    const { stdout } = await node('infra/local/invoke/invoke.ts', 'roles/list');
    expect(stdout).toContain('"statusCode": 200');
  });

  it('npm run ops finds the running stack', async () => {
    const { stdout } = await node('infra/ops/ops.ts', 'webhooks', 'list');
    expect(stdout).toContain('post.published');
  });
});
