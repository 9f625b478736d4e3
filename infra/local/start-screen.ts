/** What `npm start` prints when it is ready: at most twelve rows, so that no address scrolls away. */
import { join } from 'node:path';
import { findHome, type Home, type StackFile } from './home.ts';
import { npmRun } from './shell.ts';

/**
 * Returns the text.
 * @param ms how long the start took
 * @param hasKeys whether the terminal reads single keys
 */
export const startScreen = (stack: StackFile, home: Home, memory: boolean, ms: number, hasKeys: boolean): string => {
  // Outside the project's folder, and with another home, npm needs both by name.
  const demo = home.folder === findHome('').folder ? 'npm run demo' : npmRun(home, 'demo');
  const keys = 'Press o to open the console signed in, m for the mailbox, r for the receiver.';
  return `Masthead is ready (${(ms / 1000).toFixed(1)} s). Press Ctrl-C to stop it.

  Console   ${stack.baseUrl}/console/ (${stack.ownerEmail})
  API docs  ${stack.baseUrl}/admin/docs/
  Mailbox   ${stack.mailbox}/
  Receiver  ${stack.receiverPage}
  Target    ${stack.receiver}/hook (for webhooks to the receiver)
  Keys      ${join(home.folder, 'stack.json')}${memory ? ' (data in memory)' : ''}

To see a webhook and an invitation arrive, paste into another terminal:
  ${demo}
${hasKeys ? `${keys}\n` : ''}`;
};

/** Returns the JSON line of a stack that is ready; keys and URLs with secrets are in `stack.json` only. */
export const readyLine = (stack: StackFile, home: Home, notes: readonly string[], ms: number): string =>
  JSON.stringify({
    type: 'ready',
    time: new Date().toISOString(),
    api: stack.baseUrl,
    receiver: stack.receiver,
    stack: join(home.folder, 'stack.json'),
    notes,
    ms: Math.round(ms),
  });
