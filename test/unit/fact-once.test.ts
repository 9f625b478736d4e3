/** A field that clients set is declared once: storage, updates, presentation, documents and type follow from it. */
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { userResource } from '../../shared/accounts/resource.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { maxChars, text } from '../../shared/foundation/fields.ts';
import type { ApiKeyId, IntegrationId, RoleId, StaffId } from '../../shared/foundation/ids.ts';
import {
  field,
  initial,
  type Resource,
  secret,
  type settableEntries,
  writable,
} from '../../shared/foundation/resource.ts';
import { integrationResource, presentIntegration, shownToAudit } from '../../shared/integrations/integration.ts';
import { relayResource } from '../../shared/integrations/relay/resource.ts';
import { inviteResource } from '../../shared/invites/resource.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import {
  type listedWebhookResource,
  presentNewWebhook,
  presentWebhook,
  webhookResource,
} from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });

const added = {
  motto: writable(field(v.nullable(v.pipe(text, maxChars(20))), 'A motto for people.', 'Read more')),
  proof: secret(field(v.nullable(text), 'A second secret.')),
};
Object.assign(webhookResource.entries, added);
for (const { entries } of [integrationResource, userResource, relayResource])
  Object.assign(entries, { motto: added.motto });
Object.assign(inviteResource.entries, {
  motto: initial(field(v.nullable(v.pipe(text, maxChars(20))), 'A motto for people.')),
});

const { createWebhook, updateWebhook } = await import('../../shared/webhooks/manage.ts');
const { addIntegration, updateIntegration } = await import('../../shared/integrations/manage.ts');
const { integrationChanges, newIntegration } = await import('../../shared/integrations/schema.ts');
const { newWebhookOf, webhookChanges } = await import('../../shared/webhooks/schema.ts');
const { updateStaffMember } = await import('../../shared/accounts/manage-staff.ts');
const { presentUser } = await import('../../shared/accounts/staff-member.ts');
const { userChanges } = await import('../../shared/accounts/staff-schema.ts');
const { auditSources } = await import('../../shared/audit/store.ts');
const { createInvites } = await import('../../shared/invites/create.ts');
const { createdInvites } = await import('../../shared/invites/audit.ts');
const { presentInvite } = await import('../../shared/invites/invite.ts');
const { newInvite } = await import('../../shared/invites/schema.ts');
const { comparison, recordComparison } = await import('../../shared/integrations/relay/comparison.ts');
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

  // tsc checks its type.
  type Schema = v.StrictObjectSchema<{ readonly id: v.StringSchema<undefined> } & typeof added, undefined>;
  expectTypeOf<Resource<Schema>['motto']>().toEqualTypeOf<string | null>();
  expectTypeOf<keyof ReturnType<typeof settableEntries<Schema>>>().toEqualTypeOf<'motto' | 'proof'>();
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

const owner: Caller = {
  kind: 'staff',
  staffId: 'b'.repeat(24) as StaffId,
  role: 'Owner',
  name: 'Max',
  email: 'max@example.com',
};
const everything = { from: '', to: '~', limit: 100 };
const documented = (...names: readonly string[]) => {
  for (const component of names)
    expect(properties(componentSchemas()[component]).motto, component).toMatchObject({
      maxLength: 20,
      description: 'A motto for people.',
    });
};

describe('a new field in the schema of a staff member', () => {
  const id = 'a'.repeat(24) as StaffId;
  const key = { pk: 'STAFF', sk: `STAFF#${id}` };
  const ada = { id, name: 'Ada', email: 'ada@example.com', role: 'Author', created_at: '2026-11-21T09:00:00.000Z' };
  const put = (sent: object) => updateStaffMember(id, v.parse(userChanges, sent), owner);

  it('is stored, presented and audited when it is changed, and keeps its value if an update omits it', async () => {
    aws.put(key, ada);
    const member = await put({ motto: 'Read on' });
    expect(presentUser(member, undefined, undefined)).toMatchObject({ motto: 'Read on' });
    await put({ name: 'Ada Lovelace' });
    expect(aws.read(key)).toMatchObject({ motto: 'Read on', name: 'Ada Lovelace' });
    const entries = (await Promise.all(auditSources.map((read) => read(everything)))).flatMap((page) => page.entries);
    expect(entries.map(({ changes }) => changes)).toContainEqual({ motto: { from: null, to: 'Read on' } });
  });

  it('is not overwritten by a change that was based on an older value', async () => {
    aws.put(key, ada);
    aws.before('TransactWriteCommand', () => aws.change(key, { motto: 'Of a rival' }), 1);
    await put({ name: 'Ada Lovelace' });
    expect(aws.read(key)).toMatchObject({ motto: 'Of a rival', name: 'Ada Lovelace' });
  });

  it('is documented in the resource and in the update', () => documented('User', 'UserChanges'));
});

describe('a new field in the schema of an invite', () => {
  it('is stored, presented and audited when an invite is created', async () => {
    const role_id = 'c'.repeat(24) as RoleId;
    aws.put({ pk: 'ROLES', sk: `ROLE#${role_id}` }, { id: role_id, name: 'Author' });
    const [created] = await createInvites(
      [v.parse(newInvite, { role_id, email: 'ada@example.com', motto: 'Read on' })],
      owner,
    );
    const { id } = created?.invite ?? {};
    expect(aws.read({ pk: 'INVITES', sk: `INVITE#${id}` })).toMatchObject({ motto: 'Read on' });
    expect(created && presentInvite(created.invite)).toMatchObject({ motto: 'Read on' });
    const { entries } = await createdInvites(everything);
    expect(entries).toMatchObject([{ changes: { motto: { from: null, to: 'Read on' } } }]);
  });

  it('is documented in the resource and in the creation', () => documented('Invite', 'NewInvite'));
});

describe('a new field in the schema of a relay', () => {
  it('is stored and presented when a comparison reports it', async () => {
    const { id } = (await addIntegration(v.parse(newIntegration, { name: 'Ghost' }), caller)).integration;
    aws.put({ pk: `RELAY#${id}`, sk: 'WATCH' }, {});
    const found = v.parse(comparison, { unmoved: [], motto: 'Read on' });
    const at = Date.parse('2026-11-21T09:00:00.000Z');
    expect(await recordComparison(id, found, owner, at)).toMatchObject({ motto: 'Read on' });
  });

  it('is documented in the resource and in the report', () => documented('Relay', 'RelayChanges'));
});

// tsc checks that the resources of the console and of the command line have exactly the fields of the schemas.
type Api = typeof import('../../infra/ops/api/resources.ts');
type Listed<Name extends keyof Api['read']> = ReturnType<Api['read'][Name]> extends (infer Item)[] ? Item : never;
expectTypeOf<import('../../web/console/api/resources.ts').Webhook>().toEqualTypeOf<
  Resource<typeof listedWebhookResource>
>();
expectTypeOf<Listed<'users'>>().toEqualTypeOf<import('../../web/console/api/resources.ts').User>();
expectTypeOf<Listed<'deliveries'>>().toEqualTypeOf<import('../../web/console/api/resources.ts').Delivery>();
