/** The fields of a webhook that clients can send, in addition to the tests of endpoints: secrets, owners and changes. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { newWebhook, newWebhookOf, webhookChanges } from '../../shared/webhooks/schema.ts';

const rules = { ownEvents: [], targets: { allowHttp: false, allowRanges: [] } };
const fields = { event: 'post.added', target_url: 'https://hooks.example/masthead' };
const integration = 'a'.repeat(24) as IntegrationId;
const defaults = { ...fields, name: null, secret: null, api_version: 'v6.0' };

describe('a new webhook', () => {
  it('belongs to the integration that creates it, whatever the client sends', () => {
    const sent = { ...fields, integration_id: 'b'.repeat(24) };
    expect(v.parse(newWebhookOf(rules, integration), sent)).toEqual({ ...defaults, integration_id: integration });
  });

  it('belongs to the integration that is named if a staff member creates it', () => {
    const sent = { ...fields, integration_id: integration };
    expect(v.parse(newWebhook(rules), sent)).toEqual({ ...defaults, integration_id: integration });
    expect(v.is(newWebhook(rules), fields)).toBe(false);
  });
});

describe('a secret', () => {
  const base64 = (bytes: number) => Buffer.alloc(bytes, 'hunter2').toString('base64');
  const violation = (secret: string) => {
    const { issues } = v.safeParse(newWebhookOf(rules, integration), { ...fields, secret });
    return issues?.map(({ expected }) => expected);
  };

  it.each(['hunter2', 'whsec', 'WHSEC_', `whsec_${base64(24)}`, `whsec_${base64(64)}`, ''])('may be %j', (secret) => {
    expect(violation(secret)).toBeUndefined();
  });

  it.each(['whsec_', 'whsec_!!!', `whsec_${base64(23)}`, `whsec_${base64(65)}`, `whsec_${base64(25)}=`])(
    'must not be %j, which has no valid key after its prefix',
    (secret) => {
      expect(violation(secret)).toEqual(['whsec 24 to 64 bytes']);
    },
  );
});

describe('the changes of a webhook', () => {
  it('may be any of its fields, and its secret', () => {
    expect(v.parse(webhookChanges(rules), {})).toEqual({});
    const changes = { ...fields, name: '', secret: 'whsec_', api_version: 'v5.0' };
    expect(v.parse(webhookChanges(rules), changes)).toEqual({ ...changes, name: null });
    expect(v.parse(webhookChanges(rules), { secret: null })).toEqual({ secret: null });
  });
});
