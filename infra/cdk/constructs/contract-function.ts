/** One Lambda function for one contract line: its bundle, environment and a role with the line's access. */
import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ContractLine } from '../../../shared/contract.ts';
import type { Bundles } from '../bundle.ts';
import { logGroupName, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { queueOf, type Reachable, statementsOf } from './access.ts';

/** Timeout of a line's function: the contract's default is ten seconds. */
export function timeoutOf(line: ContractLine): Duration {
  return Duration.seconds(line.timeoutSeconds ?? 10);
}

interface ContractFunctionProps {
  readonly config: StageConfig;
  readonly line: ContractLine;
  readonly bundles: Bundles;
  readonly reachable: Reachable;
  readonly baseUrl: string;
}

export class ContractFunction extends Construct {
  readonly function: lambda.Function;

  constructor(scope: Construct, id: string, props: ContractFunctionProps) {
    super(scope, id);
    const { config, line, bundles, reachable } = props;
    const logGroup = logGroupName(config, line.function);
    const streams = `log-group:${logGroup}:*`;
    const logGroupArn = `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:${streams}`;
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `What functions/${line.function}.ts may do: its line in shared/contract.ts`,
      inlinePolicies: { contract: new iam.PolicyDocument({ statements: statementsOf(line, reachable, logGroupArn) }) },
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:${streams}]`,
      reason: "Lambda names the log streams; they are all in the function's own log group.",
    });
    this.function = new lambda.Function(this, 'Function', {
      functionName: physicalName(config, line.function),
      description: `functions/${line.function}.ts`,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: lambda.Code.fromAsset(bundles.folderOf(line.function)),
      handler: 'index.handler',
      timeout: timeoutOf(line),
      memorySize: line.memoryMb ?? 512,
      environment: environmentOf(props),
      // JSON also for what the platform writes, so that a timeout is counted like any other fault.
      loggingFormat: lambda.LoggingFormat.JSON,
      // Made by the stack `observability`, so that logs and the alarms on them outlive the function.
      logGroup: LogGroup.fromLogGroupName(this, 'Logs', logGroup),
      // The CDK would add to the role what it thinks fit; the contract alone decides.
      role: role.withoutPolicyUpdates(),
      currentVersionOptions: { removalPolicy: RemovalPolicy.DESTROY },
      ...(feedsItself(line) && { recursiveLoop: lambda.RecursiveLoop.ALLOW }),
    });
  }
}

function environmentOf({ config, line, reachable, baseUrl }: ContractFunctionProps): Record<string, string> {
  const queueUrls = (line.access.send ?? []).map((name) => [
    `QUEUE_URL_${name.toUpperCase().replaceAll('-', '_')}`,
    queueOf(reachable.queues, name).queueUrl,
  ]);
  return {
    TABLE_NAME: reachable.table.tableName,
    BASE_URL: baseUrl,
    SETTINGS: JSON.stringify(config.settings),
    // Also the dimension of every metric, hence with the stage in it.
    SERVICE_NAME: physicalName(config),
    METRICS_NAMESPACE: 'Masthead',
    ...(line.access.mail && { MAIL_CONFIGURATION_SET: physicalName(config) }),
    ...Object.fromEntries(queueUrls),
  };
}

/**
 * Whether a function sends to a queue that it reads: retries and long fan-outs do so on purpose. Lambda takes that for a runaway
 * loop and stops the message after 16 rounds unless it is allowed; here the retry schedule bounds the rounds.
 */
function feedsItself(line: ContractLine): boolean {
  return line.kind === 'queue' && line.sources.some(({ queue }) => line.access.send?.includes(queue));
}
