/** What `Ref` and `Fn::GetAtt` of a resource give, for the types that the local stack meets. */

/** Where the stacks are deployed to, as far as a template asks. */
export interface Environment {
  readonly region: string;
  readonly accountId: string;
  /** Values of the stacks' parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** URL of a queue, by its name. */
  readonly queueUrl: (name: string) => string;
}

interface Referred {
  readonly id: string;
  readonly type: string;
  /** A property's resolved text; the resource's id where the template leaves a name to CloudFormation. */
  readonly property: (key: string) => string;
}

/** The attribute's value, or that of `Ref`; undefined where it is not known. */
export const attributeOf = ({ id, type, property }: Referred, name: string, environment: Environment) => {
  const { accountId, region } = environment;
  const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${accountId}:${rest}`;
  const functionArn = () => {
    const given = property('FunctionName');
    return given.startsWith('arn:') ? given : arn('lambda', `function:${given}`);
  };
  switch (`${type} ${name}`) {
    case 'AWS::DynamoDB::Table Ref':
      return property('TableName');
    case 'AWS::DynamoDB::Table Arn':
      return arn('dynamodb', `table/${property('TableName')}`);
    case 'AWS::SQS::Queue Ref':
      return environment.queueUrl(property('QueueName'));
    case 'AWS::SQS::Queue Arn':
      return arn('sqs', property('QueueName'));
    case 'AWS::SQS::Queue QueueName':
      return property('QueueName');
    case 'AWS::Events::EventBus Ref':
      return property('Name');
    case 'AWS::Events::EventBus Arn':
      return arn('events', `event-bus/${property('Name')}`);
    case 'AWS::Lambda::Function Ref':
      return property('FunctionName');
    case 'AWS::Lambda::Function Arn':
      return functionArn();
    case 'AWS::Lambda::Version Ref':
      return `${functionArn()}:1`;
    case 'AWS::Lambda::Version Version':
      return '1';
    case 'AWS::Lambda::Alias Ref':
      return `${functionArn()}:${property('Name')}`;
    case 'AWS::IAM::Role Ref':
      return property('RoleName');
    case 'AWS::IAM::Role Arn':
      return `arn:aws:iam::${accountId}:role/${property('RoleName')}`;
    case 'AWS::Logs::LogGroup Ref':
      return property('LogGroupName');
    case 'AWS::Logs::LogGroup Arn':
      return arn('logs', `log-group:${property('LogGroupName')}:*`);
    case 'AWS::ApiGateway::RestApi RootResourceId':
      return `${id}.root`;
    case 'AWS::ApiGateway::RestApi Ref':
    case 'AWS::ApiGateway::Resource Ref':
    case 'AWS::ApiGateway::Deployment Ref':
    case 'AWS::ApiGateway::Stage Ref':
      return id;
    default:
      return undefined;
  }
};
