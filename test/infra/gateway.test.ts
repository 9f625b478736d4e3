/** The API Gateway of a stage: the responses that it makes itself, rate limits, access logs, domain and web ACL. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { unsetSettings } from '../../infra/cdk/unset-settings.ts';
import { type EndpointLine, versionedLines } from '../../shared/contract.ts';
import { cookieName } from '../../shared/http/cookie.ts';
import { writeResponse } from '../../shared/http/response.ts';
import { everything, existing, ofTable } from './stages.ts';
import { lines, synthesized } from './synthesized.ts';

const configs = [...ofTable, everything, existing];
const templates = synthesized();

const gatewayResponse = v.strictObject({
  statusCode: v.optional(v.string()),
  responseParameters: v.record(v.string(), v.string()),
  responseTemplates: v.strictObject({ 'application/json': v.string() }),
});
const restApi = v.looseObject({
  DisableExecuteApiEndpoint: v.optional(v.boolean()),
  MinimumCompressionSize: v.optional(v.number()),
  Body: v.looseObject({
    'x-amazon-apigateway-minimum-compression-size': v.optional(v.number()),
    'x-amazon-apigateway-gateway-responses': v.record(v.string(), gatewayResponse),
    'x-amazon-apigateway-endpoint-configuration': v.optional(
      v.strictObject({ disableExecuteApiEndpoint: v.boolean() }),
    ),
  }),
});
const apiStage = v.looseObject({
  StageName: v.string(),
  AccessLogSetting: v.optional(v.object({ DestinationArn: v.string(), Format: v.string() })),
  MethodSettings: v.array(
    v.looseObject({
      HttpMethod: v.string(),
      ResourcePath: v.string(),
      ThrottlingRateLimit: v.number(),
      ThrottlingBurstLimit: v.number(),
      LoggingLevel: v.optional(v.string()),
      DataTraceEnabled: v.optional(v.boolean()),
    }),
  ),
});

/** The response types of API Gateway, with status and error type (docs/compatibility.md, "Errors"). */
const rows: readonly [responseType: string, status: string | undefined, type: string][] = [
  ['DEFAULT_4XX', undefined, 'BadRequestError'],
  ['BAD_REQUEST_BODY', undefined, 'BadRequestError'],
  ['BAD_REQUEST_PARAMETERS', undefined, 'BadRequestError'],
  ['UNAUTHORIZED', '401', 'UnauthorizedError'],
  ['EXPIRED_TOKEN', '401', 'UnauthorizedError'],
  ['INVALID_SIGNATURE', '401', 'UnauthorizedError'],
  ['ACCESS_DENIED', '403', 'NoPermissionError'],
  ['INVALID_API_KEY', '403', 'NoPermissionError'],
  ['WAF_FILTERED', '403', 'NoPermissionError'],
  ['MISSING_AUTHENTICATION_TOKEN', '404', 'NotFoundError'],
  ['RESOURCE_NOT_FOUND', '404', 'NotFoundError'],
  ['REQUEST_TOO_LARGE', '413', 'RequestEntityTooLargeError'],
  ['UNSUPPORTED_MEDIA_TYPE', '415', 'UnsupportedMediaTypeError'],
  ['THROTTLED', '429', 'TooManyRequestsError'],
  ['QUOTA_EXCEEDED', '429', 'TooManyRequestsError'],
  // A throttled function is one of these cases.
  ['DEFAULT_5XX', '503', 'ServiceUnavailableError'],
  ['API_CONFIGURATION_ERROR', '503', 'ServiceUnavailableError'],
  ['INTEGRATION_FAILURE', '503', 'ServiceUnavailableError'],
  ['INTEGRATION_TIMEOUT', '503', 'ServiceUnavailableError'],
];

describe('the role with which API Gateway writes logs, one in an account and region', () => {
  const isCreated = (name: string) => templates.of(name, 'ApiGateway::Account', v.unknown()).length > 0;
  const hasAccessLogs = (name: string) =>
    templates.of(name, 'ApiGateway::Stage', apiStage).some(({ properties }) => properties.AccessLogSetting);

  it('is not needed by dev, which therefore deploys in an empty account', () => {
    expect([hasAccessLogs('dev'), isCreated('dev')]).toEqual([false, false]);
  });

  it('is decided by the operator before a stage with access logs is deployed', () => {
    for (const config of configs.filter(({ features }) => features.accessLogs)) {
      const isOpen = unsetSettings(config).some((text) => text.startsWith('apiLogsRole is missing'));
      expect(isOpen, config.name).toBe(config.apiLogsRole === undefined);
      expect(isCreated(config.name), config.name).toBe(config.apiLogsRole === 'create');
    }
  });
});

describe.each(configs)('the gateway of the stage $name', (config) => {
  const of = <Schema extends v.GenericSchema>(type: string, schema: Schema) => templates.of(config.name, type, schema);
  const [api] = of('ApiGateway::RestApi', restApi);
  const responses = api?.properties.Body['x-amazon-apigateway-gateway-responses'] ?? {};
  const deployedStage = () => of('ApiGateway::Stage', apiStage)[0]?.properties;

  it.each(rows)(
    'answers %s with the status %s, the type %s and the usual error format',
    (responseType, status, type) => {
      const found = responses[responseType];
      expect(found?.statusCode).toBe(status);
      const body: unknown = JSON.parse(found?.responseTemplates['application/json'] ?? '');
      const sentence = v.pipe(v.string(), v.regex(/^[A-Z`].*\.$/));
      const envelope = v.strictObject({
        errors: v.strictTuple([
          v.strictObject({
            message: sentence,
            context: v.null(),
            type: v.literal(type),
            details: v.null(),
            property: v.null(),
            help: sentence,
            code: v.null(),
            id: v.literal('$context.requestId'),
            ghostErrorCode: v.null(),
          }),
        ]),
      });
      expect(v.safeParse(envelope, body).issues).toBeUndefined();
    },
  );

  it('makes no other responses itself', () => {
    expect(Object.keys(responses).sort()).toEqual(rows.map(([responseType]) => responseType).sort());
  });

  it('sends the same headers as the functions', () => {
    const { allowedOrigins } = config.settings;
    const [origin] = allowedOrigins;
    const { headers = {} } = writeResponse({ status: 500, body: {} }, origin, allowedOrigins);
    // The gateway cannot choose one of several origins, and its own responses contain nothing of the stage.
    const expected = { ...headers, ...(origin && { 'Access-Control-Allow-Origin': '*' }) };
    for (const { statusCode, responseParameters } of Object.values(responses)) {
      const sent = Object.entries(responseParameters).map(([name, value]) => [
        name.replace('gatewayresponse.header.', ''),
        value.replace(/^'(.*)'$/, '$1'),
      ]);
      const { 'Retry-After': retryAfter, ...rest } = Object.fromEntries(sent);
      expect(rest).toEqual(expected);
      expect(retryAfter !== undefined).toBe(['429', '503'].includes(statusCode ?? ''));
    }
  });

  it('limits what strangers may call and what `throttleOf` names, and nothing else', () => {
    const settings = deployedStage()?.MethodSettings ?? [];
    const limits = settings.map((one) => [
      `${one.HttpMethod} ${one.ResourcePath.replaceAll('~1', '/').replace('//', '/')}`,
      one.ThrottlingRateLimit,
      one.ThrottlingBurstLimit,
    ]);
    const expected = lines
      .filter((one): one is EndpointLine => one.kind === 'endpoint')
      .concat(versionedLines())
      .flatMap((line) => {
        // Requests for a sign-in link, and look-ups of invitations.
        const isForStrangers = ['sessions/request', 'invites/status'].includes(line.function);
        const limit = config.throttleOf[line.function] ?? (isForStrangers ? config.throttleWithoutKey : undefined);
        if (limit === undefined) return [];
        const path = `${config.basePath}${line.path}`.replace(/\/$/, '');
        // HEAD counts as GET does, so that strangers cannot use up the limit of a caller with a key.
        const methods = line.method === 'GET' ? ['GET', 'HEAD'] : [line.method];
        return methods.map((method) => [`${method} ${path}`, limit.ratePerSecond, limit.burst]);
      });
    expect(limits.toSorted()).toEqual(expected.toSorted());
  });

  it('sets no limit for the whole stage, because the quota of some regions is below the others’', () => {
    expect(deployedStage()?.MethodSettings?.filter(({ ResourcePath }) => ResourcePath === '/*')).toEqual([]);
  });

  it('changes fewer settings than one UpdateStage accepts', () => {
    // "Update size too large" (DianaIonita/serverless-api-gateway-caching, issue 46): its requests of 80 pass.
    const notSettings = ['HttpMethod', 'ResourcePath'];
    const operations = (deployedStage()?.MethodSettings ?? []).flatMap((one) =>
      Object.keys(one).filter((key) => !notSettings.includes(key)),
    );
    expect(operations.length).toBeLessThanOrEqual(80);
  });

  it('logs requests by their route, because a path can contain a token', () => {
    const { AccessLogSetting, MethodSettings = [] } = deployedStage() ?? {};
    expect(AccessLogSetting !== undefined).toBe(config.features.accessLogs);
    expect(MethodSettings.some(({ LoggingLevel, DataTraceEnabled }) => LoggingLevel ?? DataTraceEnabled)).toBe(false);
    if (!AccessLogSetting) return;
    expect(AccessLogSetting.DestinationArn).toContain(`/masthead/${config.name}/access`);
    const variables = AccessLogSetting.Format.match(/\$context\.[\w.]+/g) ?? [];
    expect(variables).toContain('$context.resourcePath');
    expect(variables.filter((name) => /\.(path|protocol|customDomain|authorizer)/.test(name))).toEqual([]);
    expect(JSON.parse(AccessLogSetting.Format)).toMatchObject({ request_id: '$context.requestId' });
  });

  it('compresses answers, also after an update, which takes the setting from the document', () => {
    const { Body, MinimumCompressionSize } = api?.properties ?? {};
    expect(MinimumCompressionSize).toBe(32 * 1024);
    expect(Body?.['x-amazon-apigateway-minimum-compression-size']).toBe(32 * 1024);
  });

  it('is reachable only at its domain if it has one', () => {
    const { DisableExecuteApiEndpoint, Body } = api?.properties ?? {};
    expect(DisableExecuteApiEndpoint ?? false).toBe(config.domain !== undefined);
    // An update brings the document, which replaces the property.
    const ofDocument = Body?.['x-amazon-apigateway-endpoint-configuration']?.disableExecuteApiEndpoint;
    expect(ofDocument ?? false).toBe(config.domain !== undefined);
    const domain = v.looseObject({ DomainName: v.string(), SecurityPolicy: v.literal('TLS_1_2') });
    expect(of('ApiGateway::DomainName', domain).map(({ properties }) => properties.DomainName)).toEqual(
      config.domain ? [config.domain.name] : [],
    );
    const mapping = v.looseObject({ BasePath: v.optional(v.undefined()) });
    expect(of('ApiGateway::BasePathMapping', mapping)).toHaveLength(config.domain ? 1 : 0);
    expect(of('Route53::RecordSet', v.unknown())).toHaveLength(config.domain?.hostedZone ? 1 + dkimRecords : 0);
  });

  it(`${config.features.waf ? 'has a' : 'has no'} web ACL`, () => {
    const association = v.looseObject({ ResourceArn: v.string(), WebACLArn: v.string() });
    const found = of('WAFv2::WebACLAssociation', association);
    expect(found).toHaveLength(config.features.waf ? 1 : 0);
    for (const { properties } of found) expect(properties.ResourceArn).toMatch(/:\/restapis\/.+\/stages\//);
    const rateRule = v.object({
      Name: v.string(),
      Statement: v.object({
        RateBasedStatement: v.looseObject({ Limit: v.number(), ScopeDownStatement: v.optional(v.unknown()) }),
      }),
    });
    const logged = of(
      'WAFv2::LoggingConfiguration',
      v.looseObject({ LogDestinationConfigs: v.array(v.string()), RedactedFields: v.array(v.unknown()) }),
    );
    expect(logged).toHaveLength(config.features.waf ? 1 : 0);
    for (const { properties } of logged) {
      expect(properties.LogDestinationConfigs).toEqual([
        expect.stringMatching(`:aws-waf-logs-masthead-${config.name}$`),
      ]);
      // The path of an invitation contains its token.
      const redacted = JSON.stringify(properties.RedactedFields).toLowerCase();
      for (const field of ['authorization', 'cookie', 'uripath', 'querystring']) expect(redacted).toContain(field);
    }
    const acls = of('WAFv2::WebACL', v.looseObject({ Rules: v.array(v.unknown()) }));
    for (const { properties } of acls) {
      const rates = properties.Rules.flatMap((rule) => {
        const parsed = v.safeParse(rateRule, rule);
        return parsed.success ? [parsed.output] : [];
      });
      const limitOf = (name: string) =>
        rates.find(({ Name }) => Name === name)?.Statement.RateBasedStatement ?? { Limit: Number.NaN };
      // In five minutes: five publishers with 6,000 requests a minute may share an address.
      expect(limitOf('rate').Limit).toBeGreaterThanOrEqual(5 * 5 * 6000);
      expect(limitOf('rate-without-key').Limit).toBeLessThan(limitOf('rate').Limit / 10);
      const withoutKey = JSON.stringify(limitOf('rate-without-key'));
      expect(withoutKey).toContain('"NotStatement"');
      // The console has no token.
      expect(withoutKey).toContain(cookieName);
      // Posts contain what rules for bodies look for.
      const groups = properties.Rules.flatMap((rule) => {
        const parsed = v.safeParse(groupRule, rule);
        return parsed.success ? [parsed.output.Statement.ManagedRuleGroupStatement] : [];
      });
      for (const { Name, RuleActionOverrides } of groups) {
        const counted = RuleActionOverrides.map((one) => {
          expect(one.ActionToUse).toEqual({ Count: {} });
          return one.Name;
        });
        expect(counted).toEqual(expect.arrayContaining([...(bodyRules[Name] ?? ['?'])]));
      }
      expect(groups).toHaveLength(2);
      // The first rule that decides ends the evaluation: Ghost sites pass all rules but the limit of all requests.
      const [first, second] = properties.Rules.map((rule) => v.parse(anyRule, rule)).sort(byPriority);
      expect(first).toMatchObject({ Name: 'rate', Action: { Block: {} } });
      expect(second?.Action).toEqual({ Allow: {} });
      const texts = JSON.stringify(second);
      for (const path of [`${config.basePath}/inbound/`, `/${config.name}${config.basePath}/inbound/`])
        expect(texts).toContain(`"PositionalConstraint":"STARTS_WITH","SearchString":"${path}"`);
      expect(texts).not.toContain('CONTAINS');
    }
  });
});

/** SES signs with three keys, each of which needs a record. */
const dkimRecords = 3;

const anyRule = v.looseObject({ Name: v.string(), Priority: v.number(), Action: v.optional(v.unknown()) });
const byPriority = (one: { Priority: number }, other: { Priority: number }) => one.Priority - other.Priority;
const groupRule = v.looseObject({
  Statement: v.object({
    ManagedRuleGroupStatement: v.looseObject({
      Name: v.string(),
      RuleActionOverrides: v.array(v.object({ Name: v.string(), ActionToUse: v.unknown() })),
    }),
  }),
});
/** https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html */
const bodyRules: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'EC2MetaDataSSRF_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
};
