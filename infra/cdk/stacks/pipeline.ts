/** The stack `pipeline`: GitHub's identity provider, and the two roles that the workflows of the repository exchange their tokens for. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

interface PipelineStackProps extends StackProps {
  readonly config: StageConfig;
  readonly pipeline: NonNullable<StageConfig['pipeline']>;
}

const issuer = 'token.actions.githubusercontent.com';

/** The CDK's default, which `cdk bootstrap` uses in the names of its roles. */
const qualifier = 'hnb659fds';

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
          }).oidcProviderArn
        : `arn:${this.partition}:iam::${this.account}:oidc-provider/${issuer}`;
    const role = (name: string, subject: string, description: string, bootstrapRoles: readonly string[]) => {
      const created = new iam.Role(this, name, {
        roleName: physicalName(config, name.toLowerCase()),
        description,
        // https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
        assumedBy: new iam.WebIdentityPrincipal(identity, {
          StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: `repo:${repository}:${subject}` },
        }),
        inlinePolicies: {
          bootstrap: new iam.PolicyDocument({
            statements: [
              new iam.PolicyStatement({
                actions: ['sts:AssumeRole'],
                resources: bootstrapRoles.map((kind) => this.bootstrapRole(kind)),
              }),
            ],
          }),
        },
      });
      new CfnOutput(this, `${name}RoleArn`, { description, value: created.roleArn });
    };
    role('Deploy', `environment:${config.name}`, `DEPLOY_ROLE_ARN of the GitHub environment ${config.name}`, [
      'deploy-role',
      'file-publishing-role',
      'lookup-role',
    ]);
    role('Diff', 'pull_request', 'DIFF_ROLE_ARN of the repository', ['lookup-role']);
  }

  private bootstrapRole(kind: string): string {
    return `arn:${this.partition}:iam::${this.account}:role/cdk-${qualifier}-${kind}-${this.account}-${this.region}`;
  }
}
