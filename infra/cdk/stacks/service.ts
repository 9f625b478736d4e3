/** The stack `service`: the functions, the API and the triggers; it stores no data and can be replaced at any time. */
import { CfnOutput, CfnParameter, Stack, type StackProps } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { contract } from '../../../shared/contract.ts';
import type { Bundles } from '../bundle.ts';
import type { Reachable } from '../constructs/access.ts';
import { rollbackAlarmNames } from '../constructs/alarms.ts';
import { Api } from '../constructs/api.ts';
import { arnOf } from '../constructs/arns.ts';
import { Canary } from '../constructs/canary.ts';
import { ContractFunction } from '../constructs/contract-function.ts';
import { readQueues, runEvery, runOnMailEvents } from '../constructs/triggers.ts';
import { constructIdOf, physicalName, tableName } from '../names.ts';
import type { StageConfig } from '../stage.ts';
import { senderDomain } from './mail.ts';

interface ServiceStackProps extends StackProps {
  readonly config: StageConfig;
  readonly bundles: Bundles;
}

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { config, bundles, ...props }: ServiceStackProps) {
    super(scope, id, { ...props, stackName: physicalName(config, id), terminationProtection: config.retain });
    const reachable: Reachable = {
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
    };
    const api = new Api(this, 'Api', { config });
    // On one machine the port is known only at run time.
    const baseUrl = config.name === 'local' ? new CfnParameter(this, 'BaseUrl').valueAsString : api.baseUrl;
    new CfnOutput(this, 'Url', { description: 'The base URL of the API; contract paths follow it', value: baseUrl });
    const canary = config.features.canary
      ? new Canary(this, 'Canary', { config, rollbackAlarms: this.rollbackAlarms(config) })
      : undefined;

    let fallback: IFunction | undefined;
    for (const line of contract) {
      const construct = new ContractFunction(this, constructIdOf(line), { config, line, bundles, reachable, baseUrl });
      const shifted = line.canary && canary;
      const target: IFunction = shifted ? shifted.aliasOf(construct, construct.function) : construct.function;
      switch (line.kind) {
        case 'endpoint':
          api.route(line, target);
          break;
        case 'fallback':
          fallback = target;
          break;
        case 'queue':
          readQueues(construct, line, target, reachable, config);
          break;
        case 'schedule':
          runEvery(construct, line, target, config);
          break;
        case 'bus':
          runOnMailEvents(construct, line, target, config);
          break;
        case 'command':
          // Operators invoke it.
          break;
      }
    }
    // Last, because it answers on every resource that the routes created.
    if (fallback) api.answerTheRest(fallback);
  }

  private rollbackAlarms(config: StageConfig) {
    return rollbackAlarmNames(config).map((name) => Alarm.fromAlarmName(this, name, name));
  }
}
