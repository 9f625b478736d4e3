/** What `npm start` prints: addresses, keys, and the first commands to try. */
import { join } from 'node:path';
import type { Home, StackFile } from './home.ts';
import { npmRun, quote } from './shell.ts';

/** Returns the text; `ms` is how long the start took. */
export const startScreen = (stack: StackFile, home: Home, memory: boolean, ms: number): string =>
  `Masthead is ready (${(ms / 1000).toFixed(1)} s). Press Ctrl-C to stop it.

  API              ${stack.baseUrl}
  Console          ${stack.baseUrl}/console/ (sign in as ${stack.ownerEmail})
  Documentation    ${stack.baseUrl}/admin/docs/
  Mailbox          ${stack.mailbox}/
  Demo receiver    ${stack.receiverPage} (a webhook's target: ${stack.receiver}/hook)
  Owner key        ${stack.adminKey}
  Integration key  ${stack.integrationKey}
  Data             ${memory ? 'in memory' : home.data}
  Function logs    ${home.logFile}
  All of this      ${join(home.folder, 'stack.json')}

Paste into another terminal${process.platform === 'win32' ? ' with a POSIX shell, such as Git Bash' : ''}:

${commands(stack, home)
  .map(({ does, command }) => `  # ${does}\n  ${command}\n`)
  .join('\n')}
The documentation page has every endpoint with examples.
`;

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

const commands = (stack: StackFile, home: Home) => {
  const curl = (path: string, whose: string, body?: object) =>
    [
      `curl -sS ${stack.baseUrl}${path} -H "Authorization: Ghost $(${npmRun(home, 'token', whose)})"`,
      ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}`]),
    ].join(' ');
  const webhook = { event: 'post.published', target_url: `${stack.receiver}/hook` };
  const event = { event: 'post.published', payload: { post: { current: { title: 'Hello' }, previous: {} } } };
  return [
    {
      does: 'Create a webhook, publish an event, invite a colleague, and show what arrives',
      command: npmRun(home, 'demo'),
    },
    { does: 'Print a token of the Owner', command: npmRun(home, 'token') },
    { does: 'List the roles', command: curl('/admin/roles/', 'Owner') },
    { does: 'Create a webhook', command: curl('/admin/webhooks/', 'integration', { webhooks: [webhook] }) },
    { does: 'Publish an event', command: curl('/admin/events/', 'integration', { events: [event] }) },
  ];
};
