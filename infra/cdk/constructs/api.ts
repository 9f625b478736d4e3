/** The REST API: the contract's paths below the base path, and one function for every path and method that is not in it. */
import { Aws, CfnOutput, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { type ContractLine, contract, type EndpointLine } from '../../../shared/contract.ts';
import { managedPolicyFinding } from '../acknowledged.ts';
import { logGroupName, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { answerInEnvelope } from './gateway-responses.ts';
import { protect } from './web-acl.ts';

/** The line's path without its slashes at both ends; a resource serves it with and without the last one. */
function pathOf(line: EndpointLine): string {
  return line.path.replace(/^\/|\/$/g, '');
}

interface ApiProps {
  readonly config: StageConfig;
}

export class Api extends Construct {
  /** What clients put before a contract path, without a slash at the end. */
  readonly baseUrl: string;
  private readonly api: apigateway.RestApi;
  private readonly base: apigateway.IResource;

  constructor(scope: Construct, id: string, { config }: ApiProps) {
    super(scope, id);
    const { domain, features } = config;
    this.api = new apigateway.RestApi(this, 'RestApi', {
      restApiName: physicalName(config),
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      disableExecuteApiEndpoint: domain !== undefined,
      // API Gateway writes logs with a role that belongs to the whole account.
      cloudWatchRole: features.accessLogs,
      deployOptions: {
        stageName: config.name,
        throttlingRateLimit: config.throttle.ratePerSecond,
        throttlingBurstLimit: config.throttle.burst,
        methodOptions: methodOptionsOf(config),
        ...(features.accessLogs &&
          accessLogsTo(LogGroup.fromLogGroupName(this, 'Logs', logGroupName(config, 'access')))),
      },
    });
    if (features.accessLogs) {
      Validations.of(this.api).acknowledge({
        id: managedPolicyFinding('AmazonAPIGatewayPushToCloudWatchLogs'),
        reason: "API Gateway takes one role for the logs of the whole account and asks for AWS's own policy on it.",
      });
    }
    answerInEnvelope(this.api);
    this.base = this.api.root.resourceForPath(config.basePath);
    const host = domain?.name ?? `${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${config.name}`;
    this.baseUrl = `https://${host}${config.basePath}`;
    if (domain) this.serveAt(domain);
    if (features.waf) protect(this, config, this.api.deploymentStage.stageArn);
  }

  /** Adds one endpoint; where GET is answered, so is HEAD (RFC 9110, 9.3.2). */
  route(line: EndpointLine, handler: IFunction): void {
    const resource = this.base.resourceForPath(pathOf(line));
    resource.addMethod(line.method, integrationWith(handler));
    if (line.method === 'GET') resource.addMethod('HEAD', integrationWith(handler));
  }

  /** Sends every method and path that no endpoint has to one function; call it after the last `route`. */
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
        description: `Point ${name} here`,
        value: domain.domainNameAliasDomainName,
      });
    }
  }
}

/** A rate for each method, so that a busy one takes nothing from the others. Keys are `/<path>/<method>`. */
function methodOptionsOf(config: StageConfig): Record<string, apigateway.MethodDeploymentOptions> {
  const endpoints = (contract as readonly ContractLine[]).filter((line) => line.kind === 'endpoint');
  return Object.fromEntries(
    endpoints.map((line) => {
      const { ratePerSecond, burst } = config.throttleOf[line.function] ?? config.throttle;
      return [
        `${config.basePath}/${pathOf(line)}/${line.method}`,
        { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst },
      ];
    }),
  );
}

/** One line a request, by the resource's path and never by the path itself: that of an invitation holds its token. */
function accessLogsTo(logGroup: ILogGroup): apigateway.StageOptions {
  return {
    accessLogDestination: new apigateway.LogGroupLogDestination(logGroup),
    accessLogFormat: apigateway.AccessLogFormat.custom(
      JSON.stringify({
        time: '$context.requestTime',
        request_id: '$context.requestId',
        method: '$context.httpMethod',
        resource: '$context.resourcePath',
        status: '$context.status',
        duration_ms: '$context.responseLatency',
        function_ms: '$context.integration.latency',
        function_status: '$context.integration.status',
        bytes: '$context.responseLength',
        source_ip: '$context.identity.sourceIp',
        user_agent: '$context.identity.userAgent',
        gateway_error: '$context.error.responseType',
      }),
    ),
  };
}

/** The API may invoke the function, from any method: a permission for each would not fit into the fallback's policy (20 KB). */
function integrationWith(handler: IFunction): apigateway.LambdaIntegration {
  return new apigateway.LambdaIntegration(handler, { scopePermissionToMethod: false });
}

function resourcesBelow(resource: apigateway.IResource): apigateway.IResource[] {
  return [resource, ...resource.node.children.filter(isResource).flatMap(resourcesBelow)];
}

function isResource(construct: unknown): construct is apigateway.Resource {
  return construct instanceof apigateway.Resource;
}
