/** The local home: only its owner can read its keys, table, queues, mails and logs, and its ports stay the same. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { inviteOn } from '../support/invitation-link.ts';
import { type RunningStack, runStack, runToEnd, temporaryHome } from '../support/parts-running-stack.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const started = async (folder: string): Promise<RunningStack> => {
  const running = await runStack(folder);
  undo.push(() => running.end('SIGKILL'));
  return running;
};

/** Returns the entries of the folder whose mode is not 0700 (folders) or 0600 (files). */
const openTo = (folder: string) =>
  [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))].flatMap(
    (path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      const mode = (stat?.mode ?? 0) & 0o7777;
      if (stat === undefined || mode === (stat.isDirectory() ? 0o700 : 0o600)) return [];
      return [`${relative(folder, path) || '.'} ${mode.toString(8)}`];
    },
  );

describe('the home folder of a local stack', () => {
  it('is private while the stack runs, even files that an earlier version left readable', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'masthead-')), 'home');
    // Given a home that other users can read
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'functions.log'), 'old\n');
    writeFileSync(join(folder, 'data', 'mails.jsonl'), '');
    for (const path of ['.', 'data']) chmodSync(join(folder, path), 0o755);
    for (const path of ['functions.log', 'data/mails.jsonl']) chmodSync(join(folder, path), 0o644);
    // When a stack has run in it, with a mail sent and messages in the queues
    const running = await started(folder);
    await inviteOn(running, 'ada@example.org');
    // Then
    expect(readdirSync(join(folder, 'data'))).toEqual(expect.arrayContaining(['table.db', 'mails.jsonl', 'queues']));
    expect(openTo(folder)).toEqual([]);
  });

  it('is refused if everybody can write to it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-'));
    chmodSync(folder, 0o1777);
    const { code, output } = await runToEnd(folder, ['--memory']);
    expect([code, output]).toEqual([1, expect.stringContaining(`${folder} is shared with other users`)]);
    expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  });

  it('is refused in one line if it, or a folder in it, cannot be a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-'));
    writeFileSync(join(folder, 'data'), '');
    for (const [home, reason] of [
      [join(folder, 'data', 'home'), 'home cannot be used: ENOTDIR'],
      [folder, `EEXIST: file already exists, mkdir '${join(folder, 'data')}'`],
    ] as const) {
      const { code, output } = await runToEnd(home, []);
      expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
      expect(output).toContain(reason);
    }
  });

  it('may have any name: pasting a printed command executes nothing in that name', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'masthead-')), "it's $(touch pwned) `touch pwned` $HOME");
    mkdirSync(folder);
    const running = await started(folder);
    const pasted = running
      .output()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^(curl|npm|MASTHEAD_HOME=)/.test(line));
    expect(pasted).toHaveLength(1);
    for (const command of pasted) {
      const shell = spawnSync('bash', ['-c', command.replace('curl ', 'curl --fail-with-body ')], {
        encoding: 'utf8',
        cwd: folder,
      });
      expect(shell.status, `${command}\n${shell.stdout}${shell.stderr}`).toBe(0);
    }
    expect(readdirSync(folder)).not.toContain('pwned');
  });

  it('keeps its ports between starts, and a line says which port is used instead of a taken one', async () => {
    const home = temporaryHome();
    undo.push(home.remove);
    const start = async (PORT = '') => {
      const running = await runStack(home.folder, ['--memory', '--quiet'], { PORT });
      undo.push(() => running.end('SIGKILL'));
      return running;
    };
    const portsOf = ({ stack }: RunningStack) =>
      [stack.baseUrl, stack.receiver, stack.mailbox, stack.proxy].map((url) => Number(new URL(url).port));
    // Not the default ports, which another stack of this machine may take meanwhile; and none that systems give away.
    const first = await start(String(10_000 + 4 * randomInt(5000)));
    await first.end('SIGTERM');
    // When it starts again
    const second = await start();
    await second.end('SIGTERM');
    // Then
    expect(portsOf(second)).toEqual(portsOf(first));
    expect(second.output()).not.toContain('in use');
    // When another program listens on the port of the mailbox
    const [api, receiver, mailbox = 0, proxy] = portsOf(first);
    const other = await listen(createServer(), mailbox);
    undo.push(other.stop);
    const third = await start();
    const moved = portsOf(third);
    // Then only that one moves
    expect([moved[0], moved[1], moved[3]]).toEqual([api, receiver, proxy]);
    expect(third.output()).toContain(`Port ${mailbox} is in use, so the mailbox is on port ${moved[2]}.\n`);
  });
});
