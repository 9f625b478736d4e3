/** The stack `pipeline`: GitHub's identity provider, and the two roles that workflows exchange their tokens for. */
import { CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { arnOf } from '../constructs/arns.ts';
import { keptForTheAccount } from '../constructs/removal.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

interface PipelineStackProps extends StackProps {
  readonly config: StageConfig;
  readonly pipeline: NonNullable<StageConfig['pipeline']>;
}

const issuer = 'token.actions.githubusercontent.com';

export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, { config, pipeline, ...props }: PipelineStackProps) {
    super(scope, id, { ...props, stackName: physicalName(config, id), terminationProtection: config.retain });
    const { repository, provider } = pipeline;
    // An account has one provider for each issuer.
    const identity =
      provider === 'create'
        ? new iam.OidcProviderNative(this, 'GitHub', {
            oidcProviderName: issuer,
            url: `https://${issuer}`,
            clientIds: ['sts.amazonaws.com'],
            removalPolicy: keptForTheAccount,
          }).oidcProviderArn
        : `arn:${this.partition}:iam::${this.account}:oidc-provider/${issuer}`;
    // A job's subject names its environment, which any branch can use, not its branch. So STS also checks `ref`:
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
    const main = 'refs/heads/main';
    const role = (name: string, subject: string, description: string, statement: iam.PolicyStatement) => {
      const created = new iam.Role(this, name, {
        // With the region, because all regions of an account share the names of roles.
        roleName: physicalName(config, name.toLowerCase(), this.region),
        description,
        // https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
        assumedBy: new iam.WebIdentityPrincipal(identity, {
          StringEquals: {
            [`${issuer}:aud`]: 'sts.amazonaws.com',
            [`${issuer}:sub`]: `repo:${repository}:${subject}`,
            [`${issuer}:ref`]: main,
          },
        }),
        inlinePolicies: { own: new iam.PolicyDocument({ statements: [statement] }) },
      });
      new CfnOutput(this, `${name}RoleArn`, { description, value: created.roleArn });
      return created;
    };
    role(
      'Deploy',
      `environment:${config.name}`,
      `DEPLOY_ROLE_ARN of the GitHub environment ${config.name}`,
      new iam.PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: ['deploy-role', 'file-publishing-role', 'lookup-role'].map((kind) =>
          this.bootstrapRole(config.bootstrapQualifier, kind),
        ),
      }),
    );
    // Not the bootstrap's lookup role, which reads the whole account and so the table's secrets. For `main` only:
    // a pull request's code could use any role that its workflow gets.
    const stacks = `stack/${physicalName(config, '*')}`;
    const diff = role(
      'Diff',
      `ref:${main}`,
      `DIFF_ROLE_ARN_${config.name.toUpperCase()} of the repository`,
      new iam.PolicyStatement({
        actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
        resources: [arnOf('cloudformation', stacks)],
      }),
    );
    Validations.of(diff).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:${stacks}]`,
      reason: "The ARN of a stack ends in an id that CloudFormation makes; all of these are the stage's.",
    });
  }

  private bootstrapRole(qualifier: string, kind: string): string {
    return `arn:${this.partition}:iam::${this.account}:role/cdk-${qualifier}-${kind}-${this.account}-${this.region}`;
  }
}
