/** Values of `Ref` and `Fn::GetAtt`, for the types of resources that our templates have. */
import { accountId, arn } from './account.ts';

export interface Environment {
  readonly parameters: Readonly<Record<string, string>>;
  readonly queueUrl: (name: string) => string;
}

interface Referred {
  readonly id: string;
  readonly type: string;
  /** Returns a property's resolved text, or the resource's id if the template does not set it. */
  readonly property: (key: string) => string;
}

type Read = (resource: Referred, environment: Environment) => string;

const propertyNamed =
  (key: string): Read =>
  ({ property }) =>
    property(key);

const functionArn: Read = ({ property }) => {
  const given = property('FunctionName');
  return given.startsWith('arn:') ? given : arn('lambda', `function:${given}`);
};

const idOf: Read = ({ id }) => id;

const attributes: Readonly<Record<string, Read>> = {
  'AWS::DynamoDB::Table Ref': propertyNamed('TableName'),
  'AWS::DynamoDB::Table Arn': ({ property }) => arn('dynamodb', `table/${property('TableName')}`),
  'AWS::SQS::Queue Ref': ({ property }, { queueUrl }) => queueUrl(property('QueueName')),
  'AWS::SQS::Queue Arn': ({ property }) => arn('sqs', property('QueueName')),
  'AWS::SQS::Queue QueueName': propertyNamed('QueueName'),
  'AWS::Events::EventBus Ref': propertyNamed('Name'),
  'AWS::Events::EventBus Arn': ({ property }) => arn('events', `event-bus/${property('Name')}`),
  'AWS::Lambda::Function Ref': propertyNamed('FunctionName'),
  'AWS::Lambda::Function Arn': functionArn,
  'AWS::Lambda::Version Ref': (version, environment) => `${functionArn(version, environment)}:1`,
  'AWS::Lambda::Version Version': () => '1',
  'AWS::Lambda::Alias Ref': (alias, environment) => `${functionArn(alias, environment)}:${alias.property('Name')}`,
  'AWS::IAM::Role Ref': propertyNamed('RoleName'),
  'AWS::IAM::Role Arn': ({ property }) => `arn:aws:iam::${accountId}:role/${property('RoleName')}`,
  'AWS::Logs::LogGroup Ref': propertyNamed('LogGroupName'),
  'AWS::Logs::LogGroup Arn': ({ property }) => arn('logs', `log-group:${property('LogGroupName')}:*`),
  'AWS::ApiGateway::RestApi Ref': idOf,
  'AWS::ApiGateway::Deployment Ref': idOf,
  'AWS::ApiGateway::Stage Ref': idOf,
};

/** Returns the value of an attribute, or of `Ref`; undefined if it is unknown. */
export const attributeOf = (resource: Referred, name: string, environment: Environment): string | undefined =>
  attributes[`${resource.type} ${name}`]?.(resource, environment);
