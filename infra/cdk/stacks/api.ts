/** The stack `api`: the REST API, which names the functions, and its URL, which the functions' stacks read. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { Api } from '../constructs/api.ts';
import { baseUrlParameter, physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

interface ApiStackProps extends StackProps {
  readonly config: StageConfig;
}

export class ApiStack extends Stack {
  /** The base URL of the API, without a trailing slash. */
  readonly url: string;
  /** The target of the DNS record for the domain, if this stack does not create the record. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, { config, ...props }: ApiStackProps) {
    super(scope, id, { ...props, stackName: physicalName(config, id), terminationProtection: config.retain });
    const { baseUrl, domainTarget } = new Api(this, 'Api', { config });
    this.url = baseUrl;
    this.domainTarget = domainTarget;
    new StringParameter(this, 'BaseUrl', { parameterName: baseUrlParameter(config), stringValue: baseUrl });
    new CfnOutput(this, 'Url', { description: 'The base URL of the API; contract paths follow it', value: baseUrl });
  }
}
