/** `npm run demo`: creates a webhook, publishes an event, sends an invitation, and prints what arrives. */
import * as v from 'valibot';
import { ApiError, call } from '../../command-line/client.ts';
import { command, run } from '../../command-line/command.ts';
import { findHome, readStackFile, type StackFile } from '../home.ts';
import { invite } from '../samples.ts';
import { eventually } from './eventually.ts';
import { sentMails } from './mailbox.ts';
import { type ReceivedRequest, receivedRequests } from './received-request.ts';
import { checkSignatures } from './signatures.ts';

/** The same in every run: the API returns a secret only once, and a second run must check signatures too. */
const secret = 'the-demo-knows-this-secret';

const demo = async (stack: StackFile): Promise<void> => {
  const integration = { baseUrl: stack.baseUrl, key: stack.integrationKey };
  const target_url = `${stack.receiver}/demo`;
  const webhook = { event: 'post.published', target_url, name: 'Demo', secret };
  try {
    const created = await call(integration, 'POST', '/admin/webhooks/', { webhooks: [webhook] });
    print(`1. Created a webhook for post.published on ${target_url}`, created);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    print('1. The webhook of an earlier run still exists (a duplicate was refused)');
  }

  const title = `Hello from the demo at ${new Date().toISOString()}`;
  const payload = { post: { current: { title, status: 'published' }, previous: { status: 'draft' } } };
  const events = [{ event: 'post.published', payload }];
  print('2. Published post.published', await call(integration, 'POST', '/admin/events/', { events }));

  const request = await eventually(`a delivery of "${title}" at ${target_url}`, async () =>
    v
      .parse(receivedRequests, await (await fetch(stack.received)).json())
      .find(({ path, body }) => path === '/demo' && body.includes(title)),
  );
  print('3. The receiver got', textOf(request));

  const invited = await invite(stack);
  print(`4. Invited ${invited.email}`, invited);

  const mail = await eventually(`a mail to ${invited.email} in ${stack.mailbox}/`, async () =>
    (await sentMails(stack)).find(({ destination }) => destination.to.includes(invited.email)),
  );
  const link = /https?:\/\/\S+\/invitation\/\S+/.exec(mail.body.text)?.[0];
  const text = `From: ${mail.from}\nSubject: ${mail.subject}\n\n${mail.body.text.trim()}\n\nLink: ${link}`;
  print('5. The mailbox got', text);
  print(
    '6. See both in your browser',
    `Console  ${stack.baseUrl}/console/ (sign in as ${stack.ownerEmail}; press o where npm start runs)\n` +
      `Receiver ${stack.receiverPage} (make it slow or fail there, and watch the retries)`,
  );
};

const textOf = (request: ReceivedRequest): string => {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const checks = checkSignatures(request, secret).map(({ name, valid }) => `${valid ? '✓' : '✗ invalid:'} ${name}`);
  return [`POST ${request.path}`, ...headers, '', request.body, '', ...checks].join('\n');
};

const print = (title: string, detail: unknown = ''): void => {
  const text = typeof detail === 'string' ? detail : JSON.stringify(detail, null, 2);
  console.log(`${title}\n${text.replace(/^(?=.)/gm, '   ')}\n`);
};

await run(
  command('npm run demo --')
    .description(
      'Creates a webhook on the demo receiver of the running stack, publishes an event, invites a colleague, and ' +
        'prints what arrives: the request with its signatures checked, and the mail with its link.',
    )
    .action(() => demo(readStackFile(findHome()))),
);
