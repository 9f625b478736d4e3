/** `npm run smoke -- <url>`: tests a running stage as a client with the key of an integration: a webhook, an invite. */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { call } from '../command-line/client.ts';
import { command, run, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { baseUrlIn, keyOfEnvironment } from '../command-line/key-and-url.ts';
import { print } from '../command-line/print.ts';
import { eventually } from '../local/demo/eventually.ts';

const withId = v.looseObject({ id: v.string() });
const roles = v.object({ roles: v.array(v.object({ id: v.string(), name: v.string() })) });
const webhooks = v.object({ webhooks: v.tuple([withId]) });
const events = v.object({ events: v.tuple([withId]) });
const deliveries = v.object({
  deliveries: v.array(v.object({ event_id: v.string(), status: v.string(), last_status: v.nullable(v.string()) })),
});
const invites = v.object({ invites: v.tuple([withId]) });

const smoke = async (
  baseUrl: string,
  { target, mail }: { readonly target?: string | undefined; readonly mail?: string | undefined },
) => {
  const name = `smoke-${randomBytes(4).toString('hex')}`;
  const caller = { baseUrl, key: readKey() };
  const role_id = await step('The key is valid and the stage has its roles', async () => {
    const found = v.parse(roles, await call(caller, 'GET', '/admin/roles/')).roles.find((one) => one.name === 'Author');
    if (found === undefined)
      throw new Error('The role Author is missing. Seed the stage first: npm run ops -- seed --help');
    return found.id;
  });
  const webhook = await step('Create a webhook', async () => {
    const body = { webhooks: [{ event: 'site.changed', target_url: target ?? `${baseUrl}/${name}/` }] };
    return v.parse(webhooks, await call(caller, 'POST', '/admin/webhooks/', body)).webhooks[0].id;
  });
  try {
    const event = await step('Publish an event', async () => {
      const body = { events: [{ event: 'site.changed', payload: {} }] };
      return v.parse(events, await call(caller, 'POST', '/admin/events/', body)).events[0].id;
    });
    await step('Deliver the event', async () => {
      const { status, last_status } = await eventually(`a delivery of the event ${event}`, async () =>
        v
          .parse(deliveries, await call(caller, 'GET', `/admin/webhooks/${webhook}/deliveries/`))
          .deliveries.find((one) => one.event_id === event && (one.last_status ?? one.status) !== 'pending'),
      );
      const isRight = target === undefined ? last_status === '404' : status === 'delivered';
      if (isRight) return;
      const expected = target === undefined ? '404' : '2xx';
      throw new Error(`The target returned ${last_status}, expected ${expected} (the delivery is ${status})`);
    });
    // Always the same address: the next test replaces the invite.
    await step('Invite', async () => {
      const email = mail ?? 'success+smoke@simulator.amazonses.com';
      v.parse(invites, await call(caller, 'POST', '/admin/invites/', { invites: [{ email, role_id }] }));
    });
  } finally {
    await step('Delete the webhook', () => call(caller, 'DELETE', `/admin/webhooks/${webhook}/`));
  }
  print(`\n${baseUrl} works.`);
};

const readKey = (): string => {
  const key = keyOfEnvironment();
  if (key !== undefined) return key;
  throw new UsageError('MASTHEAD_KEY is not set. Set it to the key of an integration that may publish.');
};

const step = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  try {
    const result = await run();
    print(`✓ ${what} (${(performance.now() - began).toFixed(0)} ms)`);
    return result;
  } catch (error) {
    // Printed at once, because the following deletion may fail too.
    print(`✗ ${what}: ${error instanceof Error ? error.message : error}`);
    throw new Error(`Failed: ${what}`);
  }
};

await run(
  command('MASTHEAD_KEY=<id:secret> npm run smoke --')
    .description(
      'Tests a running stage as a client: creates a webhook, publishes an event, waits for its delivery, invites ' +
        'an address, and deletes the webhook. The invite stays until it expires, or the next test replaces it. ' +
        'The exit code is 1 if a step fails.',
    )
    .argument(
      '<url>',
      'Base URL of the API: the output Url of the stack api, such as https://…/ghost/api.',
      baseUrlIn('<url>'),
    )
    .option(
      '--target <url>',
      'Target of the webhook, which must return 2xx (default: the stage itself, which must return 404).',
    )
    .option(
      '--mail <address>',
      "Address to invite (default: an address of SES's mailbox simulator, which accepts every mail, also in SES's " +
        'sandbox).',
    )
    .addHelpText('after', sections({ environment: { MASTHEAD_KEY: 'The key of an integration that may publish.' } }))
    .action((url, options) => smoke(url, options)),
);
