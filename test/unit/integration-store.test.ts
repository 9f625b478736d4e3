/** Integrations in the table: concurrent changes, and changes while an integration is being deleted. */
import { describe, expect, it } from 'vitest';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import type { Integration } from '../../shared/integrations/integration.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { iso, now } from '../support/deliver-in-memory.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { changeIntegration, pinInboundSignature } = await import('../../shared/integrations/store.ts');

const id = 'b'.repeat(24) as IntegrationId;
const key = { pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' };
const integration = { id, name: 'Shop', updated_at: iso(now) } as Integration;
const given = (changes: object = {}) => aws.put(key, { ...integration, ...changes });
const rename = () => changeIntegration(integration, { name: 'Renamed', updated_at: iso(now + 1) }, []);

describe('a change of an integration', () => {
  it.each([
    ['has been changed since', { name: 'Other', updated_at: iso(now + 2) }],
    ['is being deleted', { deleting_since: iso(now) }],
  ])('is refused if the integration %s', async (_, changes) => {
    given(changes);
    const before = aws.read(key);
    expect(await rename()).toBeUndefined();
    expect(aws.read(key)).toEqual(before);
  });
});

describe('the recorded signature method of a Ghost site', () => {
  const pinned = () => aws.read(key)?.inbound_signature;

  it('is set once, and then replaces only the method that was read', async () => {
    given();
    await pinInboundSignature(id, 'body' as never, undefined);
    expect(pinned()).toBe('body');
    await pinInboundSignature(id, 'body and time' as never, undefined);
    expect(pinned()).toBe('body');
    await pinInboundSignature(id, 'body and time' as never, 'body' as never);
    expect(pinned()).toBe('body and time');
  });

  it.each([
    ['is being deleted', { ...integration, deleting_since: iso(now) }],
    ['does not exist', undefined],
  ])('is not set if the integration %s', async (_, stored) => {
    if (stored !== undefined) aws.put(key, stored);
    await pinInboundSignature(id, 'body' as never, undefined);
    expect(aws.read(key)).toEqual(stored);
  });
});
