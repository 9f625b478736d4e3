/** A web ACL in front of the API (`features.waf`): AWS's rules for known attacks, and a rate limit per source address. */
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

/** Requests of one source address in five minutes: without a key, and all. Publishers may use the whole rate of a method. */
const perAddress = { withoutKey: 2000, all: 150_000 } as const;

const hasKey = {
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: 'authorization' } },
    positionalConstraint: 'STARTS_WITH',
    searchString: 'Ghost ',
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

/** Protects the API's stage with this ARN. */
export const protect = (scope: Construct, config: StageConfig, stageArn: string): void => {
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
        name: 'rate-without-key',
        priority: 3,
        action: { block: {} },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: perAddress.withoutKey,
            scopeDownStatement: { notStatement: { statement: hasKey } },
          },
        },
        visibilityConfig: seen('rate-without-key'),
      },
      {
        name: 'rate',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: perAddress.all } },
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
              // They block bodies over 8 KiB, and HTML or local addresses in bodies: events contain posts, and targets can
              // be in a private range if the stage allows it. The functions check sizes and targets themselves.
              ...['SizeRestrictions_BODY', 'CrossSiteScripting_BODY', 'EC2MetaDataSSRF_BODY', 'GenericRFI_BODY'].map(
                (name) => ({
                  name,
                  actionToUse: { count: {} },
                }),
              ),
              // Clients of the Ghost Admin API do not have to send a user agent.
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
};
