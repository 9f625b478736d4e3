/** Sample objects on a running stack, to try endpoints with; a missing one is created. */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { call } from '../command-line/client.ts';
import { eventually } from './demo/eventually.ts';
import { sentMails } from './demo/mailbox.ts';
import type { StackFile } from './home.ts';

export interface SampleStack
  extends Pick<StackFile, 'baseUrl' | 'adminKey' | 'integrationKey' | 'receiver' | 'mailbox'> {
  /** Name of the sample webhook and integration. Default: `Sample`. */
  readonly sampleName?: string;
}

const named = v.object({ id: v.string(), name: v.nullable(v.string()) });
const withId = v.object({ id: v.string() });
const roles = v.object({ roles: v.array(named) });
const webhooks = v.object({ webhooks: v.tuple([withId]) });
const integrations = v.object({
  integrations: v.array(
    v.object({
      ...named.entries,
      api_keys: v.optional(v.array(withId), []),
      webhooks: v.optional(v.array(named), []),
    }),
  ),
});
const deliveries = v.object({ deliveries: v.array(withId) });
const pings = v.object({ pings: v.tuple([v.object({ delivery_id: v.string() })]) });
const replays = v.object({ replays: v.tuple([withId]) });
const recoveries = v.object({ recoveries: v.tuple([withId]) });
const users = v.object({ users: v.array(named) });
const links = v.object({ invites: v.tuple([v.object({ link: v.string() })]) });
const invites = v.object({ invites: v.tuple([v.object({ id: v.string(), email: v.string() })]) });

export const samples: Readonly<Record<string, (stack: SampleStack) => Promise<string | undefined>>> = {
  role: (stack) => author(stack),
  webhook: (stack) => webhook(stack),
  async delivery(stack) {
    const path = `/admin/webhooks/${await webhook(stack)}`;
    const [newest] = v.parse(deliveries, await asOwner(stack, 'GET', `${path}/deliveries/?limit=1`)).deliveries;
    return newest?.id ?? v.parse(pings, await asOwner(stack, 'POST', `${path}/ping/`)).pings[0].delivery_id;
  },
  async replay(stack) {
    const path = `/admin/webhooks/${await webhook(stack)}/replays/`;
    const body = { replays: [{ since: '2026-01-01', until: '2100-01-01' }] };
    return v.parse(replays, await asOwner(stack, 'POST', path, body)).replays[0].id;
  },
  async recovery(stack) {
    const body = { recoveries: [{ since: '2026-01-01', until: '2100-01-01' }] };
    return v.parse(recoveries, await asOwner(stack, 'POST', '/admin/recoveries/', body)).recoveries[0].id;
  },
  integration: async (stack) => (await integration(stack))?.id,
  key: async (stack) => (await integration(stack))?.api_keys[0]?.id,
  user: (stack) => user(stack),
  invite: async (stack) => (await invite(stack)).id,
  token: async (stack) => invitationToken(stack, (await invite(stack)).email),
};

/** Invites a new address as an Author. */
export const invite = async (stack: SampleStack): Promise<{ readonly id: string; readonly email: string }> => {
  const email = `${randomBytes(4).toString('hex')}@example.com`;
  const body = { invites: [{ role_id: await author(stack), email }] };
  return v.parse(invites, await asOwner(stack, 'POST', '/admin/invites/', body)).invites[0];
};

/** Returns the token in the invitation that was mailed to an address. @throws Error if none arrives */
export const invitationToken = (stack: SampleStack, email: string): Promise<string> =>
  eventually(`a mail to ${email}`, async () => {
    const mail = (await sentMails(stack)).find(({ destination }) => destination.to.includes(email));
    return /\/invitation\/([^/\s]+)\//.exec(mail?.body.text ?? '')?.[1];
  });

const nameOf = ({ sampleName = 'Sample' }: SampleStack): string => sampleName;

const asOwner = ({ baseUrl, adminKey: key }: SampleStack, method: string, path: string, body?: object) =>
  call({ baseUrl, key }, method, path, body);

const author = async (stack: SampleStack) =>
  v.parse(roles, await asOwner(stack, 'GET', '/admin/roles/')).roles.find((role) => role.name === 'Author')?.id;

const webhook = async (stack: SampleStack): Promise<string> => {
  const name = nameOf(stack);
  const known = (await listIntegrations(stack)).flatMap((one) => one.webhooks);
  const found = known.find((one) => one.name === name);
  if (found !== undefined) return found.id;
  const target_url = `${stack.receiver}/sample/${randomBytes(4).toString('hex')}`;
  const body = { webhooks: [{ event: 'post.published', target_url, name }] };
  const created = await call({ ...stack, key: stack.integrationKey }, 'POST', '/admin/webhooks/', body);
  return v.parse(webhooks, created).webhooks[0].id;
};

/** Records the move of a Ghost site. Returns its id. */
export const movedSite = async (stack: SampleStack): Promise<string> => {
  const site = await newSite(stack);
  const body = { moves: [{ revision: 0, from: 'https://blog.example', to: stack.baseUrl }] };
  await asOwner(stack, 'PUT', `/admin/moves/${site}/`, body);
  return site;
};

/** Returns a new Ghost site's id. A stage has the record of one site only, so an earlier one is deleted. */
export const newSite = async (stack: SampleStack): Promise<string> => {
  const site = 'f0c2a9d4-6b1e-4c58-9d3a-7e5f1b2c4d68';
  const recorded = await asOwner(stack, 'GET', `/admin/moves/${site}/`).catch(() => undefined);
  if (recorded !== undefined) await asOwner(stack, 'DELETE', `/admin/moves/${site}/`);
  return site;
};

const listIntegrations = async (stack: SampleStack) => {
  const path = '/admin/integrations/?include=api_keys,webhooks&limit=all';
  return v.parse(integrations, await asOwner(stack, 'GET', path)).integrations;
};

const integration = async (stack: SampleStack) => {
  const name = nameOf(stack);
  const found = (await listIntegrations(stack)).find((one) => one.name === name);
  if (found !== undefined) return found;
  const created = await asOwner(stack, 'POST', '/admin/integrations/', { integrations: [{ name }] });
  return v.parse(integrations, created).integrations[0];
};

/** Returns a staff member who joined by an invitation without mail, so that nobody depends on this member's key. */
const user = async (stack: SampleStack): Promise<string | undefined> => {
  const name = nameOf(stack);
  const find = async () =>
    v.parse(users, await asOwner(stack, 'GET', '/admin/users/?limit=all')).users.find((one) => one.name === name)?.id;
  const found = await find();
  if (found !== undefined) return found;
  const email = `${randomBytes(4).toString('hex')}@example.com`;
  const body = { invites: [{ role_id: await author(stack), email, send_email: false }] };
  const [{ link }] = v.parse(links, await asOwner(stack, 'POST', '/admin/invites/', body)).invites;
  const token = /\/invitation\/([^/\s]+)\//.exec(link)?.[1];
  const invitation = [{ token, name, password: randomBytes(12).toString('hex') }];
  await asOwner(stack, 'POST', '/admin/authentication/invitation/', { invitation });
  return find();
};
