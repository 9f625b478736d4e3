/** The stack `mail`: the sender's identity in SES, and a configuration set that reports bounces to EventBridge. */
import { CfnOutput, RemovalPolicies, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import * as ses from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { keptForTheAccount } from '../constructs/removal.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

interface MailStackProps extends StackProps {
  readonly config: StageConfig;
}

/** Returns the domain of the sender's address, which SES verifies. */
export const senderDomain = (config: StageConfig): string => config.settings.mail.from.replace(/^.*@/, '');

export class MailStack extends Stack {
  /** The CNAME records that the user creates, so that SES can sign mail from the domain. */
  readonly dkimRecords: readonly { readonly name: string; readonly value: string }[];

  constructor(scope: Construct, id: string, { config, ...props }: MailStackProps) {
    super(scope, id, { ...props, stackName: physicalName(config, id), terminationProtection: config.retain });
    const configurationSet = new ses.ConfigurationSet(this, 'ConfigurationSet', {
      configurationSetName: physicalName(config),
      reputationMetrics: true,
      // Mailing an address again that bounced or complained damages the sender's reputation.
      suppressionReasons: ses.SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      tlsPolicy: ses.ConfigurationSetTlsPolicy.REQUIRE,
    });
    configurationSet.addEventDestination('ToEventBridge', {
      configurationSetEventDestinationName: 'eventbridge',
      // SES reports to the default bus only.
      destination: ses.EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events: [
        ses.EmailSendingEvent.BOUNCE,
        ses.EmailSendingEvent.COMPLAINT,
        ses.EmailSendingEvent.REJECT,
        ses.EmailSendingEvent.RENDERING_FAILURE,
      ],
    });
    this.dkimRecords = config.senderIdentity === 'create' ? this.createIdentity(config) : [];
  }

  private createIdentity(config: StageConfig): MailStack['dkimRecords'] {
    const { senderHostedZone: zone } = config;
    const identity = new ses.EmailIdentity(this, 'Identity', {
      identity: zone
        ? ses.Identity.publicHostedZone(
            PublicHostedZone.fromPublicHostedZoneAttributes(this, 'Zone', {
              hostedZoneId: zone.id,
              zoneName: zone.name,
            }),
          )
        : ses.Identity.domain(senderDomain(config)),
      dkimSigning: true,
      // Bounces are reported as events; otherwise SES would also mail them to the sender's address.
      feedbackForwarding: false,
    });
    // With its DNS records, without which SES stops sending from the domain.
    RemovalPolicies.of(identity).apply(keptForTheAccount);
    if (zone) return [];
    identity.dkimRecords.forEach(({ name, value }, index) => {
      new CfnOutput(this, `DkimRecord${index + 1}`, {
        description: 'Create this CNAME record so that SES can sign mail from the domain',
        value: `${name} CNAME ${value}`,
      });
    });
    return identity.dkimRecords;
  }
}
