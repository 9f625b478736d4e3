/** What `npm start` prints has what a first visitor needs. */
import { expect, it } from 'vitest';
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
  edge: 'http://127.0.0.1:3371/secret',
  aws: { endpoint: '', region: '', accessKeyId: '', secretAccessKey: '', sessionToken: '' },
  table: 'masthead-local',
  queues: {},
  pid: 1,
};

it('names the address with which to sign in to the console', () => {
  const screen = startScreen(stack, findHome('/tmp/home'), false, 3400);
  expect(screen).toContain('http://127.0.0.1:3368/ghost/api/console/ (sign in as owner@masthead.example)\n');
});
