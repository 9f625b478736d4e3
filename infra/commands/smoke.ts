/**
 * `npm run smoke -- <url>`: does the main job against a running stage, as a client: creates a webhook, publishes an event and sees it
 * delivered, invites somebody and sees the mail leave. It takes back what it has made.
 */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { adminToken } from './admin-token.ts';
import { runCommand } from './command.ts';
import { eventually } from './demo/eventually.ts';

type Call = (method: string, path: string, body?: object, withKey?: string) => Promise<unknown>;

class SmokeError extends Error {
  override readonly name = 'SmokeError';
}

const withId = v.looseObject({ id: v.string() });
const roles = v.object({ roles: v.array(v.object({ id: v.string(), name: v.string() })) });
const integrations = v.object({
  integrations: v.tuple([v.object({ id: v.string(), api_keys: v.array(v.object({ secret: v.string() })) })]),
});
const webhooks = v.object({ webhooks: v.tuple([withId]) });
const events = v.object({ events: v.tuple([withId]) });
const deliveries = v.object({
  deliveries: v.array(v.object({ event_id: v.string(), status: v.string(), last_status: v.nullable(v.string()) })),
});
const invites = v.object({ invites: v.tuple([v.object({ id: v.string(), status: v.string() })]) });

const smoke = async (url: string, { target, mail }: { readonly target?: string; readonly mail?: string }) => {
  const { MASTHEAD_KEY: key = '' } = process.env;
  if (!/^[0-9a-f]{24}:[0-9a-f]{64}$/.test(key))
    throw new SmokeError('MASTHEAD_KEY is no key of the form <id>:<secret>');
  const name = `smoke-${randomBytes(4).toString('hex')}`;
  const call = caller(url, key);
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const author = await step('the key is good, and the roles are there', async () => {
      const found = v.parse(roles, await call('GET', '/admin/roles/')).roles.find((role) => role.name === 'Author');
      if (found === undefined)
        throw new SmokeError('there is no role Author: has the stage been seeded (npm run ops -- seed)?');
      return found.id;
    });
    const integration = await step('an integration is made', async () => {
      const body = { integrations: [{ name, can_publish: true }] };
      const [made] = v.parse(integrations, await call('POST', '/admin/integrations/', body)).integrations;
      undo.push(() => call('DELETE', `/admin/integrations/${made.id}/`));
      return made.api_keys[0]?.secret ?? '';
    });
    const webhook = await step('a webhook is created', async () => {
      const body = { webhooks: [{ event: 'site.changed', target_url: target ?? `${url}/${name}/` }] };
      const [made] = v.parse(webhooks, await call('POST', '/admin/webhooks/', body, integration)).webhooks;
      undo.push(() => call('DELETE', `/admin/webhooks/${made.id}/`));
      return made.id;
    });
    const event = await step('an event is accepted', async () => {
      const body = { events: [{ event: 'site.changed', payload: {} }] };
      return v.parse(events, await call('POST', '/admin/events/', body, integration)).events[0].id;
    });
    await step('and delivered', async () => {
      const expected = target === undefined ? '404' : '2xx';
      const delivery = await eventually(`a delivery of the event ${event}`, async () =>
        v
          .parse(deliveries, await call('GET', `/admin/webhooks/${webhook}/deliveries/`))
          .deliveries.find(
            ({ event_id, last_status, status }) => event_id === event && (last_status ?? status) !== 'pending',
          ),
      );
      const isRight = target === undefined ? delivery.last_status === '404' : delivery.status === 'delivered';
      if (!isRight)
        throw new SmokeError(
          `the target did not answer with ${expected} but with ${delivery.last_status} (${delivery.status})`,
        );
    });
    await step('an invitation is mailed', async () => {
      const email = mail ?? `success+${name}@simulator.amazonses.com`;
      const [made] = v.parse(
        invites,
        await call('POST', '/admin/invites/', { invites: [{ email, role_id: author }] }),
      ).invites;
      undo.push(() => call('DELETE', `/admin/invites/${made.id}/`));
      await eventually(`the state \`sent\` of the invite to ${email}`, async () => {
        const [invite] = v.parse(invites, await call('GET', `/admin/invites/${made.id}/`)).invites;
        return invite.status === 'sent' ? true : undefined;
      });
    });
  } finally {
    if (undo.length > 0)
      await step('what was made is taken back', async () => {
        const failures: unknown[] = [];
        for (const back of undo.toReversed()) await back().catch((error: unknown) => failures.push(error));
        if (failures.length > 0) throw failures[0];
      });
  }
  console.log(`\n${url} does its job.`);
};

const step = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  try {
    const result = await run();
    console.log(`✓ ${what} (${(performance.now() - began).toFixed(0)} ms)`);
    return result;
  } catch (error) {
    const told = `✗ ${what}: ${error instanceof Error ? error.message : error}`;
    // At once, since what is taken back afterwards may fail too.
    console.log(told);
    throw new SmokeError(told);
  }
};

const caller =
  (url: string, key: string): Call =>
  async (method, path, body, withKey = key) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Ghost ${adminToken(withKey)}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new SmokeError(`${method} ${url}${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };

await runCommand(
  {
    usage: 'MASTHEAD_KEY=<id:secret> npm run smoke -- <url> [options]',
    does: 'Does the main job against a running stage, as a client, and takes back what it has made. Ends with 1 where something failed.',
    takes: {
      '<url>':
        'what the paths of the API come behind: the output Url of the stack service, such as https://…/ghost/api',
    },
    options: {
      target: {
        type: 'string',
        value: '<url>',
        tells:
          'where the webhook posts to, which must answer with a 2xx; else the stage itself, whose 404 then proves the way',
      },
      mail: {
        type: 'string',
        value: '<address>',
        tells:
          "who is invited; default: an address of SES's mailbox simulator, which accepts every mail, in SES's sandbox too",
      },
    },
    environment: { MASTHEAD_KEY: 'a key of the Owner or an Administrator' },
  },
  ({ positionals: [url = ''], values }) => smoke(url.replace(/\/+$/, ''), values),
);
