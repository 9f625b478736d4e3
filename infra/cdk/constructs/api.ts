/** The REST API with its stage, domain, logs and web ACL, and the role that it assumes to invoke functions. */
import { Aws, CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { type EndpointLine, endpointLines, versionedLines } from '../../../shared/contract.ts';
import { managedPolicyFinding } from '../acknowledged.ts';
import { logGroupName, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { apiDefinition, apiLines, invokedArn, minCompressionSize, resourcePath } from './api-definition.ts';
import { protect } from './web-acl.ts';

interface ApiProps {
  readonly config: StageConfig;
}

export class Api extends Construct {
  /** The URL before a contract path, without a trailing slash. */
  readonly baseUrl: string;
  /** The target of the DNS record for the domain, if it is not created here. */
  readonly domainTarget: string | undefined;
  private readonly api: apigateway.SpecRestApi;

  constructor(scope: Construct, id: string, { config }: ApiProps) {
    super(scope, id);
    const { domain, features } = config;
    const createsLogsRole = features.accessLogs && config.apiLogsRole === 'create';
    // A permission on each function would be lost when the function's stack is deleted and created again.
    const invoking = new Role(this, 'InvokingRole', {
      description: 'API Gateway invokes the functions of endpoints, and no others',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        endpoints: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: apiLines().map((line) => invokedArn(config, line)),
            }),
          ],
        }),
      },
    });
    this.api = new apigateway.SpecRestApi(this, 'RestApi', {
      apiDefinition: apigateway.ApiDefinition.fromInline(apiDefinition(config, invoking.roleArn)),
      // What the document lacks is removed; the default keeps routes of earlier releases.
      mode: apigateway.RestApiMode.OVERWRITE,
      failOnWarnings: true,
      restApiName: physicalName(config),
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      minCompressionSize,
      disableExecuteApiEndpoint: domain !== undefined,
      cloudWatchRole: createsLogsRole,
      // One role per account and region, which other APIs may use by then.
      ...(createsLogsRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
      deployOptions: {
        stageName: config.name,
        methodOptions: methodOptionsOf(config),
        ...(features.accessLogs &&
          accessLogsTo(LogGroup.fromLogGroupName(this, 'Logs', logGroupName(config, 'access')))),
      },
    });
    if (createsLogsRole) {
      Validations.of(this.api).acknowledge({
        id: managedPolicyFinding('AmazonAPIGatewayPushToCloudWatchLogs'),
        reason: "API Gateway uses one role for the logs of the whole account and requires AWS's managed policy on it.",
      });
    }
    const host = domain?.name ?? `${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${config.name}`;
    this.baseUrl = `https://${host}${config.basePath}`;
    this.domainTarget = domain && this.serveAt(domain);
    if (features.waf) protect(this, config, this.api.deploymentStage.stageArn);
  }

  private serveAt({ name, certificateArn, hostedZone }: NonNullable<StageConfig['domain']>): string | undefined {
    const domain = this.api.addDomainName('Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
      endpointType: apigateway.EndpointType.REGIONAL,
    });
    if (hostedZone) {
      new ARecord(this, 'Record', {
        zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', {
          hostedZoneId: hostedZone.id,
          zoneName: hostedZone.name,
        }),
        recordName: `${name}.`,
        target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
      });
      return undefined;
    }
    const target = domain.domainNameAliasDomainName;
    // In the scope of the stack, because the id of a construct would become a part of the output's name.
    new CfnOutput(Stack.of(this), 'DomainTarget', {
      description: `The target of the DNS record for ${name}`,
      value: target,
    });
    return target;
  }
}

/**
 * The methods with their own rate limit, as `/<path>/<method>`. Few, as one update takes about 80 values. Others have
 * the account's quota in the region (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html).
 */
const methodOptionsOf = (config: StageConfig): Record<string, apigateway.MethodDeploymentOptions> =>
  Object.fromEntries(
    [...endpointLines(), ...versionedLines()].flatMap((line) => {
      const limit = config.throttleOf[line.function] ?? sharedLimit(config, line);
      if (limit === undefined) return [];
      const methods = line.method === 'GET' ? ['GET', 'HEAD'] : [line.method];
      return methods.map((method) => [
        `${resourcePath(config, line)}/${method}`,
        { throttlingRateLimit: limit.ratePerSecond, throttlingBurstLimit: limit.burst },
      ]);
    }),
  );

/** The limit for endpoints that strangers may call. Other endpoints have none, since strangers could use it up. */
const sharedLimit = (config: StageConfig, { access, callers, signed, link }: EndpointLine) => {
  const isPage = callers.includes('anyone') && access.table === undefined;
  if (signed === true || link === true || isPage) return undefined;
  return callers.includes('anyone') ? config.throttleWithoutKey : config.throttle;
};

/**
 * One line per request with the resource's path, never the request's, which contains an invitation's token.
 * CloudWatch adds the time; the function's own line has status and duration.
 */
const accessLogsTo = (logGroup: ILogGroup): apigateway.StageOptions => ({
  accessLogDestination: new apigateway.LogGroupLogDestination(logGroup),
  accessLogFormat: apigateway.AccessLogFormat.custom(
    JSON.stringify({
      request_id: '$context.requestId',
      method: '$context.httpMethod',
      resource: '$context.resourcePath',
      status: '$context.status',
      duration_ms: '$context.responseLatency',
      bytes: '$context.responseLength',
      source_ip: '$context.identity.sourceIp',
      user_agent: '$context.identity.userAgent',
      gateway_error: '$context.error.responseType',
    }),
  ),
});
