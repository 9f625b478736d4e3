/** The stack of a group of functions, with their triggers; it stores no data and can be replaced at any time. */
import { CfnParameter, Stack, type StackProps } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type ContractLine, contract } from '../../../shared/contract.ts';
import type { Bundles } from '../bundles.ts';
import type { Reachable } from '../constructs/access.ts';
import { rollbackAlarmNames } from '../constructs/alarms.ts';
import { arnOf } from '../constructs/arns.ts';
import { Canary } from '../constructs/canary.ts';
import { ContractFunction } from '../constructs/contract-function.ts';
import { egressOf } from '../constructs/egress.ts';
import { readQueues, runEvery, runOnMailEvents } from '../constructs/triggers.ts';
import { type FunctionGroup, groupOf } from '../function-groups.ts';
import { baseUrlParameter, constructIdOf, liveAlias, physicalName, tableName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { senderDomain } from './mail.ts';

interface FunctionsStackProps extends StackProps {
  readonly config: StageConfig;
  readonly group: FunctionGroup;
  readonly bundles: Bundles;
}

export class FunctionsStack extends Stack {
  constructor(scope: Construct, { config, group, bundles, ...props }: FunctionsStackProps) {
    super(scope, group, { ...props, stackName: physicalName(config, group), terminationProtection: config.retain });
    const lines = contract.filter((line) => groupOf(line) === group);
    const [reachable, baseUrl, egress] = [reachableIn(config), this.baseUrl(config), egressOf(this, config, lines)];
    const canary =
      config.features.canary && lines.some((line) => line.canary)
        ? new Canary(this, 'Canary', { config, group, rollbackAlarms: this.rollbackAlarms(config) })
        : undefined;
    for (const line of lines) {
      const construct = new ContractFunction(this, constructIdOf(line), {
        config,
        line,
        bundles,
        reachable,
        baseUrl,
        egress,
      });
      this.trigger(construct, line, this.targetOf(construct, line, canary), reachable, config);
    }
  }

  /** The stack `api` exports nothing: an export in use can't change. Locally, the port is known only at run time. */
  private baseUrl(config: StageConfig): string {
    if (config.domain) return `https://${config.domain.name}${config.basePath}`;
    return new CfnParameter(this, 'BaseUrl', {
      ...(config.name !== 'local' && { type: 'AWS::SSM::Parameter::Value<String>', default: baseUrlParameter(config) }),
    }).valueAsString;
  }

  /** The alias exists even without canary deployments, because the API names it and is deployed first. */
  private targetOf(construct: ContractFunction, line: ContractLine, canary: Canary | undefined): IFunction {
    if (!line.canary) return construct.function;
    const alias = construct.function.addAlias(liveAlias);
    canary?.shift(construct, alias);
    // The CDK's types do not support exactOptionalPropertyTypes.
    return alias as IFunction;
  }

  private trigger(
    construct: ContractFunction,
    line: ContractLine,
    target: IFunction,
    reachable: Reachable,
    config: StageConfig,
  ) {
    switch (line.kind) {
      case 'queue':
        readQueues(construct, line, target, reachable, config);
        break;
      case 'schedule':
        runEvery(construct, line, target, config);
        break;
      case 'bus':
        runOnMailEvents(construct, line, target, config);
        break;
      case 'endpoint':
      case 'fallback':
        // The stack `api` has their routes.
        break;
      case 'command':
        // Operators invoke it.
        break;
    }
  }

  private rollbackAlarms(config: StageConfig) {
    return rollbackAlarmNames(config).map((name) => Alarm.fromAlarmName(this, name, name));
  }
}

const reachableIn = (config: StageConfig): Reachable => ({
  transactionGrants: config.transactionGrants,
  table: arnOf('dynamodb', `table/${tableName(config)}`),
  queue: (name) => arnOf('sqs', physicalName(config, name)),
  sender: {
    address: config.settings.mail.from,
    arns: [
      arnOf('ses', `identity/${senderDomain(config)}`),
      arnOf('ses', `configuration-set/${physicalName(config)}`),
      // In the sandbox SES also checks the identity of each recipient: https://github.com/aws/aws-sdk-js/issues/3641
      ...(config.settings.mail.sandbox ? [arnOf('ses', 'identity/*')] : []),
    ],
  },
});
