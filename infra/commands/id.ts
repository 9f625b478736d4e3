/** `npm run -s id -- <kind>`: prints what commands are tried with, and makes what is not there yet. */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { call, expectStatus } from './client.ts';
import { runCommand } from './command.ts';
import { eventually } from './demo/eventually.ts';
import { sentMails } from './demo/mailbox.ts';
import { findHome, readStackFile, type StackFile } from './home.ts';

const named = v.object({ id: v.string(), name: v.nullable(v.string()) });
const roles = v.object({ roles: v.array(named) });
const webhooks = v.object({ webhooks: v.tuple([named]) });
const integrations = v.object({
  integrations: v.array(
    v.object({
      ...named.entries,
      api_keys: v.optional(v.array(v.object({ id: v.string() })), []),
      webhooks: v.optional(v.array(named), []),
    }),
  ),
});
const deliveries = v.object({ deliveries: v.array(v.object({ id: v.string() })) });
const replays = v.object({ replays: v.tuple([v.object({ id: v.string() })]) });
const invites = v.object({ invites: v.tuple([v.object({ id: v.string(), email: v.string() })]) });

const sample = 'Sample';

const kinds: Record<string, (stack: StackFile) => Promise<string | undefined>> = {
  role: (stack) => author(stack),
  webhook: (stack) => sampleWebhook(stack),
  async delivery(stack) {
    const path = `/admin/webhooks/${await sampleWebhook(stack)}`;
    const listed = await call(stack, 'GET', `${path}/deliveries/?limit=1`, stack.adminKey);
    expectStatus(listed, 200, 'listing the deliveries');
    const [newest] = v.parse(deliveries, listed.body).deliveries;
    if (newest !== undefined) return newest.id;
    const pinged = await call(stack, 'POST', `${path}/ping/`, stack.adminKey);
    expectStatus(pinged, 202, 'pinging the webhook');
    return v.parse(deliveries, pinged.body).deliveries[0]?.id;
  },
  async replay(stack) {
    const path = `/admin/webhooks/${await sampleWebhook(stack)}/replays/`;
    const range = { since: '2026-01-01', until: '2100-01-01' };
    const begun = await call(stack, 'POST', path, stack.adminKey, { replays: [range] });
    expectStatus(begun, 202, 'replaying');
    return v.parse(replays, begun.body).replays[0].id;
  },
  integration: async (stack) => (await sampleIntegration(stack))?.id,
  key: async (stack) => (await sampleIntegration(stack))?.api_keys[0]?.id,
  invite: async (stack) => (await invite(stack)).id,
  async token(stack) {
    const { email } = await invite(stack);
    const mail = await eventually(`a mail to ${email}`, async () =>
      (await sentMails(stack)).find(({ destination }) => destination.to.includes(email)),
    );
    return /\/invitation\/([^/\s]+)\//.exec(mail.body.text)?.[1];
  },
};

const author = async (stack: StackFile): Promise<string | undefined> => {
  const answer = await call(stack, 'GET', '/admin/roles/', stack.adminKey);
  expectStatus(answer, 200, 'listing the roles');
  return v.parse(roles, answer.body).roles.find(({ name }) => name === 'Author')?.id;
};

const sampleWebhook = async (stack: StackFile): Promise<string> => {
  const known = (await listIntegrations(stack)).flatMap((integration) => integration.webhooks);
  const found = known.find(({ name }) => name === sample);
  if (found !== undefined) return found.id;
  const target_url = `${stack.receiver}/sample/${randomBytes(4).toString('hex')}`;
  const webhook = { event: 'post.published', target_url, name: sample };
  const created = await call(stack, 'POST', '/admin/webhooks/', stack.integrationKey, { webhooks: [webhook] });
  expectStatus(created, 201, 'creating a webhook');
  return v.parse(webhooks, created.body).webhooks[0].id;
};

const invite = async (stack: StackFile) => {
  const email = `${randomBytes(4).toString('hex')}@example.com`;
  const body = { invites: [{ role_id: await author(stack), email }] };
  const answer = await call(stack, 'POST', '/admin/invites/', stack.adminKey, body);
  expectStatus(answer, 201, 'inviting');
  return v.parse(invites, answer.body).invites[0];
};

const listIntegrations = async (stack: StackFile) => {
  const path = '/admin/integrations/?include=api_keys,webhooks&limit=all';
  const listed = await call(stack, 'GET', path, stack.adminKey);
  expectStatus(listed, 200, 'listing the integrations');
  return v.parse(integrations, listed.body).integrations;
};

const sampleIntegration = async (stack: StackFile) => {
  const found = (await listIntegrations(stack)).find(({ name }) => name === sample);
  if (found !== undefined) return found;
  const created = await call(stack, 'POST', '/admin/integrations/', stack.adminKey, {
    integrations: [{ name: sample }],
  });
  expectStatus(created, 201, 'creating an integration');
  return v.parse(integrations, created.body).integrations[0];
};

const names = Object.keys(kinds).join(', ');

await runCommand(
  {
    usage: 'npm run -s id -- <kind>',
    does: 'Prints an id on the running stack to try commands with. What is not there yet is made.',
    takes: { '<kind>': names },
    notes: `A role is Author; webhook, integration and key are of a sample, the delivery is that webhook's newest; invite and replay are new;
the token is that in an invitation's mail.`,
  },
  async ({ positionals: [kind = ''] }) => {
    const find = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (find === undefined) throw new Error(`there is no id of ${kind}; there are those of ${names}`);
    const id = await find(readStackFile(findHome()));
    if (id === undefined) throw new Error(`there is no ${kind}`);
    console.log(id);
  },
);
