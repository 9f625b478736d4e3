/** A web ACL before the API, for stages that want one (`features.waf`): AWS's rules for known attacks, and a rate for each address. */
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

/** Requests of one address in five minutes. */
const requestsPerAddress = 2000;

/** `stageArn` is that of the API's stage. */
export function protect(scope: Construct, config: StageConfig, stageArn: string): void {
  const seen = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
    metricName,
  });
  const acl = new CfnWebACL(scope, 'WebAcl', {
    name: physicalName(config),
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: seen(physicalName(config)),
    rules: [
      {
        name: 'rate',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: requestsPerAddress } },
        visibilityConfig: seen('rate'),
      },
      {
        name: 'common',
        priority: 1,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name: 'AWSManagedRulesCommonRuleSet',
            ruleActionOverrides: [
              // It blocks bodies over 8 KiB and what looks like HTML or a local address in them: events carry posts, and targets may
              // be in a private range where the stage allows it. The functions check sizes and targets themselves.
              ...['SizeRestrictions_BODY', 'CrossSiteScripting_BODY', 'EC2MetaDataSSRF_BODY', 'GenericRFI_BODY'].map(
                (name) => ({
                  name,
                  actionToUse: { count: {} },
                }),
              ),
              // Clients of the Ghost Admin API need not name themselves.
              { name: 'NoUserAgent_HEADER', actionToUse: { count: {} } },
            ],
          },
        },
        visibilityConfig: seen('common'),
      },
      {
        name: 'known-bad-inputs',
        priority: 2,
        overrideAction: { none: {} },
        statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesKnownBadInputsRuleSet' } },
        visibilityConfig: seen('known-bad-inputs'),
      },
    ],
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', { webAclArn: acl.attrArn, resourceArn: stageArn });
}
