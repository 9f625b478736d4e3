/** Editing code under `npm run dev`: after every way to save a file, the next request runs the new code. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject } from '../support/project-copy.ts';

const project = copyProject();
const home = join(project.copy, '.masthead');
let dev: ChildProcess;
let printed = '';
let waiting = (): void => {};

const shown = async (text: string | RegExp): Promise<void> => {
  const isThere = () => (typeof text === 'string' ? printed.includes(text) : text.test(printed));
  while (!isThere()) await new Promise<void>((resolve) => (waiting = resolve));
};

beforeAll(async () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: project.copy });
  git('init', '-q');
  git('add', 'functions', 'shared');
  git('commit', '-qm', 'chore: begin');
  dev = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'infra/local/dev/dev.ts', '--memory'], {
    cwd: project.copy,
    env: { ...process.env, PORT: '0', MASTHEAD_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      waiting();
    });
  dev.on('exit', () => waiting());
  await shown('Masthead is ready');
});

afterAll(async () => {
  const exited = once(dev, 'exit');
  if (dev.kill('SIGTERM')) await exited;
  project.remove();
});

const site = join(project.copy, 'functions/site/read.ts');
const document = join(project.copy, 'functions/openapi/read.ts');
const original = new Map([site, document].map((file) => [file, readFileSync(file, 'utf8')]));

/** The source of a function that answers with this status alone. */
const answering = (file: string, status: number): string =>
  (original.get(file) ?? '').replace(
    /handle: .*/s,
    `handle: async () => ({ status: ${status}, headers: {}, body: {} }),\n});\n`,
  );

const statusOf = async (path: string): Promise<number> => {
  const { baseUrl } = JSON.parse(readFileSync(join(home, 'stack.json'), 'utf8'));
  return (await fetch(`${baseUrl}${path}`)).status;
};

/** Saves, and asks when the terminal has shown it: a request right after the save may be faster than the watcher. */
const afterSaving = async (save: () => void, path: string): Promise<number> => {
  const before = printed.length;
  save();
  while (!/ replaced in \d+ ms/.test(printed.slice(before))) await new Promise<void>((resolve) => (waiting = resolve));
  return statusOf(path);
};

const rename = (file: string, text: string) => {
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
};

describe('the next request runs the new code', () => {
  it('after an editor overwrites the file', async () => {
    expect(await afterSaving(() => writeFileSync(site, answering(site, 210)), '/admin/site/')).toBe(210);
  });

  it.each([211, 212, 213])(
    'after an editor replaces the file by renaming another one, even repeatedly (%i)',
    async (status) => {
      expect(await afterSaving(() => rename(site, answering(site, status)), '/admin/site/')).toBe(status);
    },
  );

  it('after git checks out the file', async () => {
    const checkout = () => execFileSync('git', ['checkout', '-q', '--', 'functions'], { cwd: project.copy });
    expect(await afterSaving(checkout, '/admin/site/')).toBe(200);
  });

  it('after two files are saved at the same time', async () => {
    const save = () => {
      rename(site, answering(site, 214));
      writeFileSync(document, answering(document, 215));
    };
    await afterSaving(save, '/admin/site/');
    expect([await statusOf('/admin/site/'), await statusOf('/admin/openapi.json')]).toEqual([214, 215]);
  });

  it('after twenty saves in a row', async () => {
    const save = () => {
      for (let status = 220; status < 240; status++) rename(site, answering(site, status));
    };
    expect(await afterSaving(save, '/admin/site/')).toBe(239);
  });

  it('after a file that many functions share is saved', async () => {
    const shared = join(project.copy, 'shared/http/response.ts');
    const text = readFileSync(shared, 'utf8');
    expect(text).toContain('no-store');
    await afterSaving(() => rename(shared, text.replace('no-store', 'no-cache')), '/admin/site/');
    const { baseUrl } = JSON.parse(readFileSync(join(home, 'stack.json'), 'utf8'));
    const answer = await fetch(`${baseUrl}/admin/site/`);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  it('after a rule that the console shares with the functions is saved', async () => {
    const rule = join(project.copy, 'shared/webhooks/cause.ts');
    const text = readFileSync(rule, 'utf8');
    expect(text).toContain('Check the receiver at');
    const { baseUrl } = JSON.parse(readFileSync(join(home, 'stack.json'), 'utf8'));
    const script = async (): Promise<string | undefined> =>
      /main-\w+\.js/.exec(await (await fetch(`${baseUrl}/console/`)).text())?.[0];
    const before = await script();
    await afterSaving(() => rename(rule, text.replace('Check the receiver at', 'Look at')), '/console/');
    expect(before).toBeDefined();
    expect(await script()).not.toBe(before);
  });
});

describe('the terminal shows', () => {
  it('a syntax error with file, line and code, while the previous version stays in use', async () => {
    const before = await statusOf('/admin/openapi.json');
    rename(document, `${answering(document, 216)}\nconst broken = 1 +;\n`);
    await shown(/functions\/openapi\/read\.ts:\d+:\d+:[\s\S]*const broken = 1 \+;[\s\S]*stays in use/);
    expect(await statusOf('/admin/openapi.json')).toBe(before);
    await afterSaving(() => rename(document, answering(document, 217)), '/admin/openapi.json');
  });

  it('an error that a function throws, with file, line and code', async () => {
    const throwing = (original.get(site) ?? '').replace(
      /handle: .*/s,
      "handle: async () => {\n    throw new Error('thrown on purpose');\n  },\n});\n",
    );
    expect(await afterSaving(() => writeFileSync(site, throwing), '/admin/site/')).toBe(500);
    await shown(
      /site\/read: Error: thrown on purpose\nfunctions\/site\/read\.ts:\d+:\d+\n[\s\S]*> +\d+ \| +throw new Error/,
    );
  });

  it('a restart of the stack when the contract changes, and a new route works', async () => {
    const contract = join(project.copy, 'shared/contract.ts');
    const text = readFileSync(contract, 'utf8');
    const before = printed.length;
    rename(contract, text.replace('GET /admin/site/', 'GET /admin/the-site/'));
    while (!printed.slice(before).includes('Masthead is ready'))
      await new Promise<void>((resolve) => (waiting = resolve));
    expect(printed.slice(before)).toContain('shared/contract.ts changed: the stack starts again.');
    expect([await statusOf('/admin/site/'), await statusOf('/admin/the-site/')]).toEqual([404, 500]);
  });
});
