/** A field of a webhook or an integration is declared once: from one line in the schema follow its storage, updates, presentation, documentation and type. */
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Caller } from '../../shared/foundation/caller.ts';
import { maxChars, text } from '../../shared/foundation/fields.ts';
import type { ApiKeyId, IntegrationId } from '../../shared/foundation/ids.ts';
import { field, type Resource, secret, type settableEntries, writable } from '../../shared/foundation/resource.ts';
import { integrationResource, presentIntegration, shownToAudit } from '../../shared/integrations/integration.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import {
  type listedWebhookResource,
  presentNewWebhook,
  presentWebhook,
  webhookResource,
} from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';

const aws = awsInMemory();
const settings = {
  stage: 'test',
  publication: { name: 'Test', url: 'http://localhost' },
  mail: { from: 'desk@example.com' },
  caps: { webhooks: 10, webhooksOfStage: 10, integrations: 100 },
  ownEvents: [],
  audit: { keepDays: 90 },
};
Object.assign(process.env, { ...aws.environment, SETTINGS: JSON.stringify(settings) });

/** The lines that a contributor adds to the schema of a webhook. */
const added = {
  motto: writable(field(v.nullable(v.pipe(text, maxChars(20))), 'A motto for people.', 'Read more')),
  proof: secret(field(v.nullable(text), 'A second secret.')),
};
Object.assign(webhookResource.entries, added);
Object.assign(integrationResource.entries, { motto: added.motto });

const { createWebhook, updateWebhook } = await import('../../shared/webhooks/manage.ts');
const { addIntegration, updateIntegration } = await import('../../shared/integrations/manage.ts');
const { integrationChanges, newIntegration } = await import('../../shared/integrations/schema.ts');
const { newWebhookOf, webhookChanges } = await import('../../shared/webhooks/schema.ts');
const { componentSchemas, properties } = await import('../../infra/openapi/json-schema.ts');

const rules = { ownEvents: [], targets: { allowHttp: false, allowRanges: [] } };
const integrationId = 'a'.repeat(24) as IntegrationId;
const caller: Caller = { kind: 'integration', keyId: 'c'.repeat(24) as ApiKeyId, integrationId };
const fields = { event: 'post.added', target_url: 'https://hooks.example/masthead' };

const create = (sent: object) => {
  aws.put({ pk: `INTEGRATION#${integrationId}`, sk: 'INTEGRATION' }, { id: integrationId });
  return createWebhook(v.parse(newWebhookOf(rules, integrationId), { ...fields, ...sent }), caller);
};
const put = (id: Awaited<ReturnType<typeof create>>['id'], sent: object) =>
  updateWebhook(id, v.parse(webhookChanges(rules), sent), caller);

describe('a new field in the schema of a webhook', () => {
  it('is stored and presented', async () => {
    const webhook = await create({ motto: 'Read on' });
    expect(aws.read(webhookKey(webhook.id))).toMatchObject({ motto: 'Read on' });
    expect(presentWebhook(webhook)).toMatchObject({ motto: 'Read on' });
  });

  it('is null if a client does not send it', async () => {
    expect(await create({})).toMatchObject({ motto: null });
  });

  it('can be updated, and keeps its value if an update omits it', async () => {
    const { id } = await create({ motto: 'First' });
    for (const motto of ['Second', 'Third']) {
      expect(await put(id, { motto })).toMatchObject({ motto });
      expect(aws.read(webhookKey(id))).toMatchObject({ motto });
    }
    await put(id, { target_url: 'https://hooks.example/elsewhere' });
    expect(aws.read(webhookKey(id))).toMatchObject({ motto: 'Third', target_url: 'https://hooks.example/elsewhere' });
  });

  it('is not overwritten by an update that was based on an older value', async () => {
    const { id } = await create({ motto: 'First' });
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(id), { motto: 'Of a rival' }), 1);
    await put(id, { name: 'Mine' });
    expect(aws.read(webhookKey(id))).toMatchObject({ motto: 'Of a rival', name: 'Mine' });
  });

  it('has its rule checked when a webhook is created and when it is updated', () => {
    const sent = { ...fields, motto: 'More than twenty characters' };
    expect(v.is(newWebhookOf(rules, integrationId), sent)).toBe(false);
    expect(v.is(webhookChanges(rules), { motto: sent.motto })).toBe(false);
  });

  it('is documented in the resource, in the creation and in the update', () => {
    const documented = {
      type: ['string', 'null'],
      maxLength: 20,
      description: 'A motto for people.',
      examples: ['Read more'],
    };
    for (const component of ['Webhook', 'NewWebhook', 'WebhookChanges'])
      expect(properties(componentSchemas()[component]).motto).toMatchObject(documented);
  });

  it('is presented only once and never changed by a PUT, if it is a secret', async () => {
    const webhook = await create({ proof: 'hunter2' });
    expect(presentNewWebhook(webhook)).toMatchObject({ proof: 'hunter2' });
    expect(presentWebhook(webhook)).toMatchObject({ proof: null });
    await put(webhook.id, { name: 'New', proof: 'hunter3' });
    expect(aws.read(webhookKey(webhook.id))).toMatchObject({ name: 'New', proof: 'hunter2' });
  });

  it('has its TypeScript type', () => {
    const schema = v.strictObject({ id: v.string(), ...added });
    expectTypeOf<Resource<typeof schema>['motto']>().toEqualTypeOf<string | null>();
    expectTypeOf<keyof ReturnType<typeof settableEntries<typeof schema>>>().toEqualTypeOf<'motto' | 'proof'>();
  });
});

describe('a new field in the schema of an integration', () => {
  const add = async (sent: object) =>
    (await addIntegration(v.parse(newIntegration, { name: 'Shop', ...sent }), caller)).integration;
  const storedOf = ({ id }: { readonly id: IntegrationId }) => aws.read({ pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' });

  it('is stored and presented, and null if a client does not send it', async () => {
    const integration = await add({ motto: 'Read on' });
    expect(storedOf(integration)).toMatchObject({ motto: 'Read on' });
    expect(presentIntegration(integration)).toMatchObject({ motto: 'Read on' });
    expect(presentIntegration(await add({}))).toMatchObject({ motto: null });
  });

  it('can be updated, and keeps its value if an update omits it', async () => {
    const { id } = await add({ motto: 'First' });
    await updateIntegration(id, v.parse(integrationChanges, { motto: 'Second' }), caller);
    await updateIntegration(id, v.parse(integrationChanges, { name: 'Other' }), caller);
    expect(storedOf({ id })).toMatchObject({ motto: 'Second', name: 'Other' });
  });

  it('has its change in the audit log', async () => {
    const integration = await add({ motto: 'First' });
    expect(shownToAudit(integration)).toMatchObject({ motto: 'First' });
  });

  it('is documented in the resource, in the creation and in the update', () => {
    for (const component of ['Integration', 'NewIntegration', 'IntegrationChanges'])
      expect(properties(componentSchemas()[component]).motto).toMatchObject({
        maxLength: 20,
        description: 'A motto for people.',
      });
  });

  it('has its rule checked', () => {
    const motto = 'More than twenty characters';
    expect(v.is(newIntegration, { name: 'Shop', motto })).toBe(false);
    expect(v.is(integrationChanges, { motto })).toBe(false);
  });
});

describe('the resources of the console and of the command line', () => {
  it('have exactly the fields of the schemas', () => {
    type Api = typeof import('../../infra/ops/api/resources.ts');
    type Listed<Name extends keyof Api['read']> = ReturnType<Api['read'][Name]> extends (infer Item)[] ? Item : never;
    expectTypeOf<import('../../web/console/api/resources.ts').Webhook>().toEqualTypeOf<
      Resource<typeof listedWebhookResource>
    >();
    expectTypeOf<Listed<'users'>>().toEqualTypeOf<import('../../web/console/api/resources.ts').User>();
    expectTypeOf<Listed<'deliveries'>>().toEqualTypeOf<import('../../web/console/api/resources.ts').Delivery>();
  });
});
