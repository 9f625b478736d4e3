/** What `npm start` says: where things are, and a command for each endpoint that works when it is pasted. */
import { join } from 'node:path';
import { examples } from './examples.ts';
import type { Home, StackFile } from './home.ts';

export const commandLine = {
  usage: 'npm start [-- options]',
  does: 'Runs Masthead on this machine until Ctrl-C.',
  options: {
    memory: { type: 'boolean', default: false, tells: 'keep table and queues in memory only' },
    fresh: { type: 'boolean', default: false, tells: 'forget the data, keys and log of earlier runs first' },
    faults: { type: 'string', value: '<file>', tells: 'let AWS fail as the file says (docs/faults.md)' },
  },
  environment: {
    PORT: 'where the API listens (3368; 0 takes a free port)',
    MASTHEAD_HOME: 'folder for data, keys, log and stack.json (.masthead)',
    DYNAMODB_ENDPOINT: 'another DynamoDB than the embedded one',
  },
} as const;

/** The text for the terminal; `ms` is how long the start took. */
export const welcome = (stack: StackFile, home: Home, memory: boolean, ms: number): string => {
  const lines = [
    `Masthead is ready after ${(ms / 1000).toFixed(1)} s. Ctrl-C stops it.`,
    '',
    `  API            ${stack.baseUrl}`,
    `  documentation  ${stack.baseUrl}/admin/docs/`,
    `  mailbox        ${stack.mailbox}`,
    `  demo receiver  ${stack.receiver}/requests`,
    `  Owner's key    ${stack.adminKey}`,
    `  integration    ${stack.integrationKey}`,
    `  data           ${memory ? 'in memory' : home.data}`,
    `  log            ${home.logFile}`,
    `  all of this    ${join(home.folder, 'stack.json')}`,
    '',
    'npm run demo creates a webhook, publishes an event, invites somebody and shows what arrives.',
    'Or paste:',
    '',
    ...examples(stack).flatMap((command) => [command, '']),
  ];
  return lines.join('\n');
};
