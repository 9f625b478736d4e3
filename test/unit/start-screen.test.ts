/** What `npm start` prints contains everything that a first visitor needs. */
import { describe, expect, it } from 'vitest';
import { findHome, type StackFile } from '../../infra/local/home.ts';
import { startScreen } from '../../infra/local/start-screen.ts';

const stack: StackFile = {
  baseUrl: 'http://127.0.0.1:3368/ghost/api',
  adminKey: 'a:b',
  integrationKey: 'c:d',
  otherIntegrationKey: 'e:f',
  staffKeys: { Owner: 'a:b' },
  ownerEmail: 'owner@masthead.example',
  allowedOrigin: null,
  mailbox: 'http://127.0.0.1:3370/secret',
  receiver: 'http://127.0.0.1:3369',
  receiverPage: 'http://127.0.0.1:3369/secret/',
  received: 'http://127.0.0.1:3369/secret/received',
  proxy: 'http://127.0.0.1:3371/secret',
  aws: { endpoint: '', region: '', accessKeyId: '', secretAccessKey: '', sessionToken: '' },
  table: 'masthead-local',
  queues: {},
  pid: 1,
};

describe('the start screen', () => {
  it('names the console and the address to sign in with', () => {
    const screen = startScreen(stack, findHome(''), false, 3400, true);
    expect(screen).toContain('http://127.0.0.1:3368/ghost/api/console/ (owner@masthead.example)\n');
  });

  it('has at most twelve rows of eighty columns, so that no URL scrolls away', () => {
    const rows = startScreen(
      { ...stack, receiverPage: `http://127.0.0.1:3369/${'0'.repeat(32)}/` },
      findHome(''),
      true,
      3400,
      true,
    )
      .replace(findHome('').folder, '/home/ada/masthead/.masthead')
      .trimEnd()
      .split('\n');
    expect(rows.length).toBeLessThanOrEqual(12);
    expect(rows.filter((row) => row.length > 80)).toEqual([]);
  });

  it('mentions keyboard shortcuts only if the terminal can read them', () => {
    expect(startScreen(stack, findHome(''), false, 3400, true)).toContain('Press o to open the console');
    expect(startScreen(stack, findHome(''), false, 3400, false)).not.toContain('Press o');
  });
});
