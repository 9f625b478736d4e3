/** A web ACL for the API (`features.waf`): AWS's rules for known attacks, and rate limits per source address. */
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { physicalName, webAclLogGroup } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';

/** Requests per address in five minutes. Five publishers at one address reach their own limits before these. */
const perAddress = { withoutKey: 2000, all: 150_000 } as const;

const header = (name: string, positionalConstraint: string, searchString: string) => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: name } },
    positionalConstraint,
    searchString,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

const beginsWith = (searchString: string) => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/** The cookie of a session (`shared/http/cookie.ts`, which this folder does not import). */
const cookieName = 'masthead_session';

/** A key, or the console's cookie. Anyone can invent one: then the total and the function's limit of bad keys apply. */
const hasCredentials = {
  orStatement: {
    statements: [header('authorization', 'STARTS_WITH', 'Ghost '), header('cookie', 'CONTAINS', cookieName)],
  },
};

/**
 * Rules that read bodies. Posts contain HTML, `../../`, words of exploits and local addresses, and exceed 8 KiB.
 * The functions parse JSON and pass none of it to a shell, a database or a template.
 */
const bodyRules = {
  common: [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
  ],
  badInputs: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
} as const;

const counting = (names: readonly string[]) => names.map((name) => ({ name, actionToUse: { count: {} } }));

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
        name: 'rate',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: perAddress.all } },
        visibilityConfig: seen('rate'),
      },
      {
        // Ghost does not repeat a refused delivery, and signs each one: the function checks it, and has its limits.
        name: 'relay',
        priority: 1,
        action: { allow: {} },
        // Without a domain of its own, the API has the name of its stage before the path.
        statement: {
          orStatement: {
            statements: ['', `/${config.name}`].map((start) => beginsWith(`${start}${config.basePath}/inbound/`)),
          },
        },
        visibilityConfig: seen('relay'),
      },
      {
        name: 'common',
        priority: 2,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name: 'AWSManagedRulesCommonRuleSet',
            // Clients of the Ghost Admin API do not have to send a user agent.
            ruleActionOverrides: counting([...bodyRules.common, 'NoUserAgent_HEADER']),
          },
        },
        visibilityConfig: seen('common'),
      },
      {
        name: 'known-bad-inputs',
        priority: 3,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name: 'AWSManagedRulesKnownBadInputsRuleSet',
            ruleActionOverrides: counting(bodyRules.badInputs),
          },
        },
        visibilityConfig: seen('known-bad-inputs'),
      },
      {
        name: 'rate-without-key',
        priority: 4,
        action: { block: {} },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: perAddress.withoutKey,
            scopeDownStatement: { notStatement: { statement: hasCredentials } },
          },
        },
        visibilityConfig: seen('rate-without-key'),
      },
    ],
  });
  logRefusals(scope, config, acl);
  new CfnWebACLAssociation(scope, 'WebAclAssociation', { webAclArn: acl.attrArn, resourceArn: stageArn });
};

/** Logs what the rules block or count, without secrets: tokens, sessions, and the path and query of an invitation. */
const logRefusals = (scope: Construct, config: StageConfig, acl: CfnWebACL): void => {
  const kept = ['BLOCK', 'COUNT'].map((action) => ({ ActionCondition: { Action: action } }));
  new CfnLoggingConfiguration(scope, 'WebAclLogs', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [arnOf('logs', `log-group:${webAclLogGroup(config)}`)],
    redactedFields: [
      { singleHeader: { Name: 'authorization' } },
      { singleHeader: { Name: 'cookie' } },
      { uriPath: {} },
      { queryString: {} },
    ],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: kept }],
    },
  });
};
