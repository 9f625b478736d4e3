/** Values of `Ref` and `Fn::GetAtt`, for the types of resources that our templates have. */
import { accountId, arn } from './account.ts';

/** What a template's references depend on. */
export interface Environment {
  /** Values of the stacks' parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** URL of a queue, by its name. */
  readonly queueUrl: (name: string) => string;
}

interface Referred {
  readonly id: string;
  readonly type: string;
  /** Returns a property's resolved text, or the resource's id if the template does not set it. */
  readonly property: (key: string) => string;
}

/** Returns the value of an attribute, or of `Ref`; undefined if it is unknown. */
export const attributeOf = ({ id, type, property }: Referred, name: string, environment: Environment) => {
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
