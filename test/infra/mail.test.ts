/** The sender in SES: verified and signed, and its bounces are reported. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everything, existing, ofTable } from './stages.ts';
import { synthesized } from './synthesized.ts';

const configs = [...ofTable, everything, existing];
const templates = synthesized();

const identity = v.looseObject({
  EmailIdentity: v.string(),
  DkimAttributes: v.object({ SigningEnabled: v.literal(true) }),
  FeedbackAttributes: v.object({ EmailForwardingEnabled: v.literal(false) }),
});
const configurationSet = v.looseObject({
  Name: v.string(),
  DeliveryOptions: v.object({ TlsPolicy: v.string() }),
  ReputationOptions: v.object({ ReputationMetricsEnabled: v.boolean() }),
  SuppressionOptions: v.object({ SuppressedReasons: v.array(v.string()) }),
});
const destination = v.looseObject({
  EventDestination: v.object({
    Enabled: v.boolean(),
    MatchingEventTypes: v.array(v.string()),
    EventBridgeDestination: v.object({ EventBusArn: v.string() }),
  }),
});

describe.each(configs)('the stage $name', (config) => {
  it('creates the domain of its sender with DKIM, unless the account already has the domain', () => {
    const found = templates.of(config.name, 'SES::EmailIdentity', identity);
    expect(found.map(({ properties }) => properties.EmailIdentity)).toEqual(
      config.senderIdentity === 'create' ? [config.settings.mail.from.split('@')[1]] : [],
    );
  });

  it('leaves the verified domain and its DNS records when the stage is deleted, as others may use it', () => {
    const zoned = config.senderIdentity === 'create' && config.senderHostedZone !== undefined;
    const kept = templates
      .all(config.name)
      .filter(({ type, stack }) => stack === 'mail' && ['SES::EmailIdentity', 'Route53::RecordSet'].includes(type));
    expect(kept).toHaveLength(config.senderIdentity === 'existing' ? 0 : zoned ? 4 : 1);
    for (const { deletionPolicy, updateReplacePolicy } of kept)
      expect([deletionPolicy, updateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  });

  it('sends mail only over TLS, and never again to an address that bounced or complained', () => {
    const found = templates.of(config.name, 'SES::ConfigurationSet', configurationSet);
    expect(found.map(({ properties }) => properties)).toEqual([
      {
        Name: `masthead-${config.name}`,
        DeliveryOptions: { TlsPolicy: 'REQUIRE' },
        ReputationOptions: { ReputationMetricsEnabled: true },
        SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      },
    ]);
  });

  it('reports bounces and complaints to the default bus, because SES supports no other', () => {
    const [found] = templates.of(config.name, 'SES::ConfigurationSetEventDestination', destination);
    expect(found?.properties.EventDestination.Enabled).toBe(true);
    expect(found?.properties.EventDestination.MatchingEventTypes).toEqual(
      expect.arrayContaining(['bounce', 'complaint', 'reject']),
    );
    expect(found?.properties.EventDestination.EventBridgeDestination.EventBusArn).toMatch(/:event-bus\/default$/);
  });
});
