/** The REST API: the contract's paths below the base path, and the fallback function for all other paths and methods. */
import { Aws, CfnOutput, RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { type EndpointLine, endpointLines } from '../../../shared/contract.ts';
import { managedPolicyFinding } from '../acknowledged.ts';
import { logGroupName, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { answerInEnvelope } from './gateway-responses.ts';
import { protect } from './web-acl.ts';

/** The line's path without leading and trailing slash; a resource answers with and without the trailing one. */
const pathOf = (line: EndpointLine): string => line.path.replace(/^\/|\/$/g, '');

interface ApiProps {
  readonly config: StageConfig;
}

export class Api extends Construct {
  /** The URL before a contract path, without a trailing slash. */
  readonly baseUrl: string;
  private readonly api: apigateway.RestApi;
  private readonly base: apigateway.IResource;

  constructor(scope: Construct, id: string, { config }: ApiProps) {
    super(scope, id);
    const { domain, features } = config;
    const createsLogsRole = features.accessLogs && config.apiLogsRole === 'create';
    this.api = new apigateway.RestApi(this, 'RestApi', {
      restApiName: physicalName(config),
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      // For the documentation page and its OpenAPI document. The functions return text, so no binary media type is needed.
      minCompressionSize: Size.kibibytes(32),
      disableExecuteApiEndpoint: domain !== undefined,
      cloudWatchRole: createsLogsRole,
      // One role per account and region, which other APIs may use by then.
      ...(createsLogsRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
      deployOptions: {
        stageName: config.name,
        throttlingRateLimit: config.throttleWithoutKey.ratePerSecond,
        throttlingBurstLimit: config.throttleWithoutKey.burst,
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
    answerInEnvelope(this.api, config);
    this.base = this.api.root.resourceForPath(config.basePath);
    const host = domain?.name ?? `${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${config.name}`;
    this.baseUrl = `https://${host}${config.basePath}`;
    if (domain) this.serveAt(domain);
    if (features.waf) protect(this, config, this.api.deploymentStage.stageArn);
  }

  /** Adds one endpoint; a GET endpoint also answers HEAD (RFC 9110, 9.3.2). */
  route(line: EndpointLine, handler: IFunction): void {
    const resource = this.base.resourceForPath(pathOf(line));
    resource.addMethod(line.method, integrationWith(handler));
    if (line.method === 'GET') resource.addMethod('HEAD', integrationWith(handler));
  }

  /** Routes all other methods and paths to one function; call it after the last `route`. */
  answerTheRest(handler: IFunction): void {
    const integration = integrationWith(handler);
    this.api.root.addResource('{proxy+}');
    for (const resource of resourcesBelow(this.api.root)) resource.addMethod('ANY', integration);
  }

  private serveAt({ name, certificateArn, hostedZone }: NonNullable<StageConfig['domain']>) {
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
    } else {
      new CfnOutput(this, 'DomainTarget', {
        description: `The target of the DNS record for ${name}`,
        value: domain.domainNameAliasDomainName,
      });
    }
  }
}

/** A rate limit per method, so that a busy one does not use up the others'. Keys are `/<path>/<method>`. */
const methodOptionsOf = (config: StageConfig): Record<string, apigateway.MethodDeploymentOptions> =>
  Object.fromEntries(
    endpointLines().map((line) => {
      const isForStrangers = line.callers.includes('anyone') && line.signed !== true;
      const shared = isForStrangers ? config.throttleWithoutKey : config.throttle;
      const { ratePerSecond, burst } = config.throttleOf[line.function] ?? shared;
      return [
        `${config.basePath}/${pathOf(line)}/${line.method}`,
        { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst },
      ];
    }),
  );

/**
 * One line per request with the resource's path, never the request's: the path of an invitation contains its token. CloudWatch adds the
 * time, and the function's own line has its status and duration.
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

/** Allows the API to invoke the function from any method: one permission per method would exceed the fallback's policy (20 KB). */
const integrationWith = (handler: IFunction): apigateway.LambdaIntegration =>
  new apigateway.LambdaIntegration(handler, { scopePermissionToMethod: false });

const resourcesBelow = (resource: apigateway.IResource): apigateway.IResource[] => [
  resource,
  ...resource.node.children.filter(isResource).flatMap(resourcesBelow),
];

const isResource = (construct: unknown): construct is apigateway.Resource => construct instanceof apigateway.Resource;
