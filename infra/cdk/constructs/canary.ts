/** Canary deployments: a tenth of the traffic for five minutes, rolled back on an alarm. Emergencies switch at once. */
import { Annotations, Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { managedPolicyFinding } from '../acknowledged.ts';
import type { FunctionGroup } from '../function-groups.ts';
import { physicalName } from '../names.ts';
import { StageError } from '../parse-stage.ts';
import type { StageConfig } from '../stage.ts';

interface CanaryProps {
  readonly config: StageConfig;
  readonly group: FunctionGroup;
  readonly rollbackAlarms: readonly IAlarm[];
}

export class Canary extends Construct {
  private readonly application: LambdaApplication;
  private readonly role: Role;
  private readonly alarms: IAlarm[];
  private readonly ignoresAlarms: boolean;

  constructor(scope: Construct, id: string, { config, group, rollbackAlarms }: CanaryProps) {
    super(scope, id);
    this.alarms = [...rollbackAlarms];
    this.ignoresAlarms = ignoresAlarms(this);
    this.application = new LambdaApplication(this, 'Application', { applicationName: physicalName(config, group) });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
    Validations.of(this.role).acknowledge({
      id: managedPolicyFinding('AWSCodeDeployRoleForLambdaLimited'),
      reason: 'AWS maintains this policy for the calls with which CodeDeploy shifts an alias, and for no others.',
    });
  }

  shift(scope: Construct, alias: Alias): void {
    const group = new LambdaDeploymentGroup(scope, 'Deployment', {
      application: this.application,
      role: this.role.withoutPolicyUpdates(),
      alias,
      alarms: this.alarms,
      ignoreAlarmConfiguration: this.ignoresAlarms,
      // Canaries of several stacks run one after the other.
      deploymentConfig: this.ignoresAlarms
        ? LambdaDeploymentConfig.ALL_AT_ONCE
        : LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
    // The switch must be set before the alias starts a deployment.
    alias.node.addDependency(group);
  }
}

/**
 * Whether this is an emergency deployment (`-c ignoreAlarms=true`). Otherwise an active alarm stops even the fix:
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/monitoring-create-alarms.html
 * @throws StageError for any other value
 */
const ignoresAlarms = (scope: Construct): boolean => {
  const value: unknown = scope.node.tryGetContext('ignoreAlarms');
  if (value === undefined) return false;
  if (value !== true && value !== 'true') {
    throw new StageError(`The context ignoreAlarms is ${JSON.stringify(value)}; it must be true, or absent.`);
  }
  Annotations.of(scope).addWarningV2(
    'masthead:ignoreAlarms',
    'Alarms neither stop nor roll back this deployment. Deploy again without ignoreAlarms afterwards.',
  );
  return true;
};
