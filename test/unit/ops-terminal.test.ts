/** How the operator's commands use a terminal, a pipe and a shell: progress, times, completion, keys and questions. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { endAtInterrupt } from '../../infra/ops/output/interrupt.ts';
import { startPercent, startProgress } from '../../infra/ops/output/progress.ts';
import { timeOption, timeText } from '../../infra/ops/output/times.ts';
import { runOps } from '../support/ops.ts';

const folder = mkdtempSync(join(tmpdir(), 'masthead-ops-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('progress', () => {
  const stream = (isTTY: boolean) => {
    const written: string[] = [];
    const write = (text: string) => written.push(text) > 0;
    const fake = {
      isTTY,
      columns: 80,
      write,
      on: () => undefined,
      once: () => undefined,
      removeListener: () => undefined,
    };
    return { written, stream: fake as never };
  };
  afterEach(() => vi.useRealTimers());

  it('is a line every two seconds if the output is not a terminal', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { written, stream: pipe } = stream(false);
    const progress = startProgress('events', 100, pipe);
    for (const done of [10, 20, 30, 40]) {
      vi.advanceTimersByTime(1500);
      progress.update(done);
    }
    progress.stop();
    expect(written).toEqual(['20 of 100 events\n', '40 of 100 events\n']);
  });

  it('is a percentage with a note if the total is unknown', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { written, stream: pipe } = stream(false);
    const share = startPercent(pipe);
    vi.advanceTimersByTime(2000);
    share.update(24, '50 checked, 3 sent again');
    expect(written).toEqual(['24 %: 50 checked, 3 sent again\n']);
  });

  it('is a bar on a terminal, and never writes a line break', () => {
    const { written, stream: terminal } = stream(true);
    const progress = startProgress('events', 100, terminal);
    progress.update(50);
    progress.stop();
    expect(written.join('')).toContain('0 of 100 events');
    expect(written.join('')).not.toContain('\n');
  });
});

describe('a time', () => {
  const now = Date.parse('2026-11-22T12:00:00.000Z');

  it.each([
    ['2026-11-22T11:59:57.500Z', '2026-11-22 11:59:57Z (2s ago)'],
    ['2026-11-22T09:30:00.000Z', '2026-11-22 09:30:00Z (2h ago)'],
    [now + 7 * 24 * 3600 * 1000, '2026-11-29 12:00:00Z (in 7d)'],
    [null, '–'],
  ])('%s is shown as %s', (time, text) => expect(timeText(time, now)).toBe(text));

  it('can be given as an option: a time, a day, or how long ago', () => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const read = timeOption('--since');
    expect(['90s', '15m', '2h', '7d', '2026-11-20', '2026-11-20T10:00:00+02:00'].map(read)).toEqual([
      '2026-11-22T11:58:30.000Z',
      '2026-11-22T11:45:00.000Z',
      '2026-11-22T10:00:00.000Z',
      '2026-11-15T12:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
      '2026-11-20T08:00:00.000Z',
    ]);
    vi.useRealTimers();
    for (const wrong of ['2026-13-40', '5', 'now', '', '2026-11-20T10:00:00'])
      expect(() => read(wrong), wrong).toThrow(`--since is '${wrong}'; it must be a time such as`);
  });
});

describe('a wrong command line', () => {
  it.each([
    [['publish', folder], `The file ${folder} is a folder.`],
    [['apply', '/no/such/file'], 'The file /no/such/file does not exist.'],
    [['apply', file('list.json', '[1]')], '`integrations` is missing.'],
    [
      ['apply', file('misspelt.json', '{"integrations":[{"name":"A","webhook":[]}]}')],
      '`integrations.0.webhook` is unknown.',
    ],
    [['apply', file('empty.json', '')], 'The file is not JSON: "Unexpected end of JSON input".'],
    [['keys', 'create', '--integration', 'CMS', '--staff', 'me'], 'Give either --integration or --staff.'],
  ])('%j is refused with exit code 2, what is wrong, and no text of a library', async (args, message) => {
    const { code, output, errors } = await runOps(args);
    expect([code, output]).toEqual([2, '']);
    expect(errors).toContain(message);
    expect(errors).not.toMatch(/EISDIR|ENOENT|Invalid (key|type)|Expected/);
  });
});

describe('Ctrl-C', () => {
  const exits: unknown[] = [];
  const exit = vi.spyOn(process, 'exit').mockImplementation(((code: unknown) => exits.push(code)) as never);
  afterAll(() => {
    exit.mockRestore();
    process.removeAllListeners('SIGINT');
  });

  it('lets a command end by itself; a second Ctrl-C ends it with exit code 130', () => {
    endAtInterrupt();
    process.once('SIGINT', () => exits.push('by itself'));
    process.emit('SIGINT');
    expect(exits).toEqual(['by itself']);
    process.emit('SIGINT');
    expect(exits).toEqual(['by itself', 130]);
  });
});

describe('shell completion', () => {
  const suggestions = async (...words: string[]) =>
    (await runOps(['complete', '--', ...words])).output
      .split('\n')
      .flatMap((line) => line.split('\t')[0]?.match(/^[^:].*/) ?? []);

  it('suggests commands, subcommands, options and values', async () => {
    expect(await suggestions('')).toEqual(expect.arrayContaining(['keys', 'deliveries', 'doctor', 'completion']));
    expect(await suggestions('deliveries', '')).toEqual(['list', 'show', 'redeliver', 'tail']);
    expect(await suggestions('deliveries', 'list', '--st')).toEqual(['--stage', '--status']);
    expect(await suggestions('deliveries', 'list', '--status', 'h')).toEqual(['held']);
    expect(await suggestions('redrive', 'slow')).toEqual(['slow-deliveries']);
  });

  it('does not change the commands', async () => {
    await suggestions('');
    expect((await runOps(['deliveries', 'tail', '--help'])).output).toMatch(/^Usage: npm run ops -- deliveries tail /);
  });

  it('exists as a script for bash, zsh and fish', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await runOps(['completion', shell])).output).toMatch(
        /^(masthead\(\) \{|function masthead;) .*ops\/ops\.ts'/,
      );
    const { output } = await runOps(['completion', 'bash']);
    expect(spawnSync('bash', ['-n'], { input: output, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(await runOps(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});

describe('the connection to the API', () => {
  const url = ['--url', 'http://127.0.0.1:9/ghost/api'];
  const key = `${'a'.repeat(24)}:${'b'.repeat(64)}`;
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    // Where files share a process, a stub of what was not set before stays.
    delete process.env.MASTHEAD_STAGE;
  });

  it.each([
    ['no key', {}, url, 'No key: set MASTHEAD_KEY, or name a file with --key-file.'],
    ['a malformed variable', { MASTHEAD_KEY: 'hunter2' }, url, 'MASTHEAD_KEY does not have the form <id>:<secret>.'],
    ['a missing file', {}, [...url, '--key-file', '/no/such/file'], '--key-file /no/such/file does not exist.'],
    ['a folder', {}, [...url, '--key-file', folder], `--key-file ${folder} is a folder.`],
    [
      'a URL without a scheme',
      {},
      ['--url', 'example.com'],
      "--url is 'example.com'; it must be the base URL of an API",
    ],
    ['an unknown stage', { MASTHEAD_STAGE: 'qa' }, [], 'it must be one of dev, prod, local.'],
  ])('is refused with exit code 2 for %s', async (_what, environment, args, message) => {
    for (const [name, value] of Object.entries({ MASTHEAD_KEY: '', ...environment })) vi.stubEnv(name, value);
    expect(await runOps(['staff', 'list', ...args])).toEqual({
      code: 2,
      output: '',
      errors: expect.stringContaining(message),
    });
  });

  it('reads its key from a file of either form, and never prints other content of the file', async () => {
    vi.stubEnv('MASTHEAD_KEY', '');
    const tokens: string[] = [];
    vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
      tokens.push(headers.Authorization ?? '');
      return Response.json({ users: [] });
    });
    const seed = JSON.stringify({
      key: { id: key.split(':')[0], secret: key.split(':')[1] },
      email: 'a@b.c',
      isSeeded: true,
    });
    for (const text of [`${key}\n`, seed])
      expect(await runOps(['staff', 'list', ...url, '--key-file', file('key', text)])).toMatchObject({ code: 0 });
    const kids = tokens.map(
      (token) => JSON.parse(Buffer.from(token.slice(6).split('.')[0] ?? '', 'base64url').toString()).kid,
    );
    expect(kids).toEqual(['a'.repeat(24), 'a'.repeat(24)]);
    const other = await runOps(['staff', 'list', ...url, '--key-file', file('other', 'aws_secret_access_key=hunter2')]);
    expect(other).toMatchObject({ code: 2, errors: expect.not.stringContaining('hunter2') });
  });

  it('ends a changing command with exit code 3 if the URL cannot be reached', async () => {
    vi.stubEnv('MASTHEAD_KEY', key);
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    });
    expect(await runOps(['webhooks', 'ping', 'a'.repeat(24), ...url])).toEqual({
      code: 3,
      output: '',
      errors: `http://127.0.0.1:9/ghost/api/admin/webhooks/${'a'.repeat(24)}/ping/ cannot be reached: refused.\n`,
    });
  });
});
