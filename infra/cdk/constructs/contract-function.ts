/** One Lambda function for one contract line: its bundle, environment and a role with the line's access. */
import { type CfnResource, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ASSET_RESOURCE_METADATA_PATH_KEY } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import { type ContractLine, defaultMemoryMb } from '../../../shared/contract.ts';
import { type Bundles, bundleHash } from '../bundles.ts';
import { groupOf } from '../function-groups.ts';
import { logGroupName, physicalName, stagePath, tableName } from '../names.ts';
import { reservedOf, type StageConfig } from '../stage.ts';
import { deadQueuesOf, type Reachable, statementsOf } from './access.ts';
import { arnOf, queueUrl } from './arns.ts';
import { type Egress, networkStatements } from './egress.ts';

/** Returns the timeout of a line's function; the default is ten seconds. */
export const timeoutOf = (line: ContractLine): Duration => Duration.seconds(line.timeoutSeconds ?? 10);

interface ContractFunctionProps {
  readonly config: StageConfig;
  readonly line: ContractLine;
  readonly bundles: Bundles;
  readonly reachable: Reachable;
  readonly baseUrl: string;
  readonly egress: Egress | undefined;
}

export class ContractFunction extends Construct {
  readonly function: lambda.Function;

  constructor(scope: Construct, id: string, props: ContractFunctionProps) {
    super(scope, id);
    const { config, line, bundles, reachable, baseUrl } = props;
    const network = line.reachesReceivers ? props.egress?.network : undefined;
    const reserved = reservedOf(config, line);
    const logGroup = logGroupName(config, groupOf(line));
    const streams = `log-group:${logGroup}:*`;
    const logGroupArn = arnOf('logs', streams);
    const role = new iam.Role(this, 'Role', {
      path: stagePath(config),
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `Grants functions/${line.function}.ts the access of its line in shared/contract.ts`,
      inlinePolicies: {
        contract: new iam.PolicyDocument({ statements: statementsOf(line, reachable, logGroupArn) }),
        ...(config.features.xray && { tracing: new iam.PolicyDocument({ statements: [sendTraces()] }) }),
        ...(network && { network: new iam.PolicyDocument({ statements: networkStatements(config, line.function) }) }),
      },
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:${streams}]`,
      reason: "Lambda chooses the names of log streams; all of them are in the log group of the function's group.",
    });
    if (config.features.xray || network !== undefined) {
      const reason =
        'X-Ray and the network interfaces of Lambda have no resources to which a permission could be limited.';
      for (const id of ['AwsSolutions::AwsSolutions-IAM5[Resource::*]', 'Serverless::Serverless-LambdaStarPermissions'])
        Validations.of(role).acknowledge({ id, reason });
    }
    if (line.access.mail && config.settings.mail.sandbox) {
      Validations.of(role).acknowledge({
        id: 'AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason:
          "In SES's sandbox IAM also checks the identity of the recipient; " +
          "the sender stays limited to the stage's address.",
      });
    }
    this.function = new lambda.Function(this, 'Function', {
      functionName: physicalName(config, line.function),
      description: `functions/${line.function}.ts`,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: bundles.areComplete
        ? lambda.Code.fromAsset(bundles.folderOf(line.function), { exclude: config.sourceMaps ? [] : ['*.map'] })
        : new CodeInFolder(bundles.folderOf(line.function)),
      handler: 'index.handler',
      timeout: timeoutOf(line),
      memorySize: line.memoryMb ?? defaultMemoryMb,
      environment: environmentOf(props),
      // JSON for the platform's lines too, so that a timeout counts as a fault. This level reports failed invocations
      // only (docs/adr/0018-lambda-logs-only-failed-invocations.md).
      loggingFormat: lambda.LoggingFormat.JSON,
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      // Created by the stack `observability`, so that logs and their alarms outlive the function.
      logGroup: LogGroup.fromLogGroupName(this, 'Logs', logGroup),
      // The CDK would add grants to the role; the contract alone decides.
      role: role.withoutPolicyUpdates(),
      // A version keeps its environment. A new URL changes the description, which can't be updated: a new version.
      // Earlier versions stay, so that an alias can be switched back.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, description: baseUrl },
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      ...(config.features.xray && { tracing: lambda.Tracing.ACTIVE }),
      ...(feedsItself(line) && { recursiveLoop: lambda.RecursiveLoop.ALLOW }),
    });
    // Not by the properties of the CDK, which would need the whole VPC.
    if (network !== undefined && this.function.node.defaultChild instanceof lambda.CfnFunction) {
      const { subnetIds, securityGroupIds } = network;
      this.function.node.defaultChild.vpcConfig = { subnetIds, securityGroupIds };
    }
  }
}

const sendTraces = () =>
  new iam.PolicyStatement({ actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] });

/** Code that the emulator finds in a folder of this machine, which may not exist yet. */
class CodeInFolder extends lambda.Code {
  readonly #folder: string;

  constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  override bind(): lambda.CodeConfig {
    return { inlineCode: '-' };
  }

  override bindToResource(resource: CfnResource): void {
    resource.addMetadata(ASSET_RESOURCE_METADATA_PATH_KEY, this.#folder);
  }
}

const environmentOf = ({ config, line, baseUrl, bundles, egress }: ContractFunctionProps): Record<string, string> => {
  const { send = [], measure = [] } = line.access;
  const read = line.kind === 'queue' ? line.sources.map(({ queue }) => queue) : [];
  const queueUrls = [...new Set([...send, ...measure, ...read, ...deadQueuesOf(line)])].map((name) => [
    `QUEUE_URL_${name.toUpperCase().replaceAll('-', '_')}`,
    queueUrl(config, name),
  ]);
  return {
    TABLE_NAME: tableName(config),
    BASE_URL: baseUrl,
    SETTINGS: JSON.stringify(config.settings),
    // Includes the stage, because it is also the dimension of every metric.
    SERVICE_NAME: physicalName(config),
    METRICS_NAMESPACE: 'Masthead',
    BUNDLE: bundles.areComplete ? bundleHash(bundles.folderOf(line.function)) : 'local',
    ...(line.access.mail && { MAIL_CONFIGURATION_SET: physicalName(config) }),
    ...(egress && { EGRESS_ADDRESSES: egress.addresses }),
    ...Object.fromEntries(queueUrls),
  };
};

/**
 * Whether a function sends to a queue that it reads, as retries and long fan-outs do. Lambda treats that as a runaway
 * loop and stops the message after 16 rounds unless it is allowed; here the retry schedule limits the rounds.
 */
const feedsItself = (line: ContractLine): boolean =>
  line.kind === 'queue' && line.sources.some(({ queue }) => line.access.send?.includes(queue));
