/**
 * `npm run demo`: the main job on a running stack. Creates a webhook on the demo's receiver, publishes an event, invites
 * somebody, and prints what arrived: the request with its signatures checked, and the mail with its link.
 */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { call, expectStatus } from '../client.ts';
import { runCommand } from '../command.ts';
import { findHome, readStackFile, type StackFile } from '../home.ts';
import { eventually } from './eventually.ts';
import { sentMails } from './mailbox.ts';
import { type ReceivedRequest, receivedRequests } from './receiver.ts';
import { checkSignatures } from './signatures.ts';

/** The same in every run: a webhook's secret is shown once only, so a second run has to know it. */
const secret = 'the-demo-knows-this-secret';

const rolesSchema = v.object({ roles: v.array(v.object({ id: v.string(), name: v.string() })) });

const demo = async (stack: StackFile): Promise<void> => {
  const targetUrl = `${stack.receiver}/demo`;
  const webhook = { event: 'post.published', target_url: targetUrl, name: 'Demo', secret };
  const created = await call(stack, 'POST', '/admin/webhooks/', stack.integrationKey, { webhooks: [webhook] });
  if (created.status === 201) say(`1. Created a webhook for post.published on ${targetUrl}`, created.body);
  else if (created.status === 422) say('1. The webhook of an earlier run is still there (a second one was refused)');
  else throw new Error(`creating the webhook was answered with ${created.status}: ${JSON.stringify(created.body)}`);

  const title = `Hello from the demo at ${new Date().toISOString()}`;
  const payload = { post: { current: { title, status: 'published' }, previous: { status: 'draft' } } };
  const event = { event: 'post.published', payload };
  const published = await call(stack, 'POST', '/admin/events/', stack.integrationKey, { events: [event] });
  expectStatus(published, 202, 'publishing');
  say('2. Published post.published', published.body);

  const request = await eventually(`a delivery of "${title}" at ${targetUrl}`, async () =>
    v
      .parse(receivedRequests, await (await fetch(stack.receiver)).json())
      .find(({ path, body }) => path === '/demo' && body.includes(title)),
  );
  say('3. The receiver got', describe(request));

  const roles = await call(stack, 'GET', '/admin/roles/', stack.adminKey);
  expectStatus(roles, 200, 'listing the roles');
  const author = v.parse(rolesSchema, roles.body).roles.find(({ name }) => name === 'Author');
  const email = `demo-${randomBytes(3).toString('hex')}@example.com`;
  const invited = await call(stack, 'POST', '/admin/invites/', stack.adminKey, {
    invites: [{ role_id: author?.id, email }],
  });
  expectStatus(invited, 201, 'inviting');
  say(`4. Invited ${email}`, invited.body);

  const mail = await eventually(`a mail to ${email} in ${stack.mailbox}`, async () =>
    (await sentMails(stack)).find(({ destination }) => destination.to.includes(email)),
  );
  const link = /https?:\/\/\S+\/invitation\/\S+/.exec(mail.body.text)?.[0];
  say(
    '5. The mailbox got',
    `From: ${mail.from}\nSubject: ${mail.subject}\n\n${mail.body.text.trim()}\n\nLink: ${link}`,
  );
};

const describe = (request: ReceivedRequest): string => {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const checks = checkSignatures(request, secret).map(({ name, valid }) => `${valid ? '✓' : '✗ wrong:'} ${name}`);
  return [`POST ${request.path}`, ...headers, '', request.body, '', ...checks].join('\n');
};

const say = (title: string, detail: unknown = ''): void => {
  const text = typeof detail === 'string' ? detail : JSON.stringify(detail, null, 2);
  console.log(`${title}\n${text.replace(/^(?=.)/gm, '   ')}\n`);
};

await runCommand(
  {
    usage: 'npm run demo',
    does: `Does the main job on the running stack: creates a webhook on the demo's receiver, publishes an event, invites somebody, and prints
what arrived: the request with its signatures checked, and the mail with its link.`,
  },
  () => demo(readStackFile(findHome())),
);
