/** Reads what the emulator runs from a stage's templates: API, functions, queues, tables, schedules, SES's events. */
import * as v from 'valibot';
import { arn } from './account.ts';
import { type Resource, TemplateError } from './cloudformation.ts';
import { readRoutes } from './gateway/routes.ts';

export type TableDeployment = ReturnType<typeof readTable>;
export type QueueDeployment = ReturnType<typeof readQueue>;
export type FunctionDeployment = ReturnType<typeof readFunction>;
export type EventSource = ReturnType<typeof readEventSource>;
export type ScheduledRun = ReturnType<typeof readRule>[number];
export type Deployment = ReturnType<typeof readDeployment>;

/** Services whose resources matter only on AWS, or only to the proxy. Every other type must be supported here. */
const withoutLocalPart =
  /^AWS::(CDK|CloudWatch|CodeDeploy|Events::(Archive|EventBus)|IAM|KMS|Lambda::(Alias|EventInvokeConfig|Permission|Url|Version)|Logs|Route53|SES|SNS|SQS::QueuePolicy|SSM|WAFv2|ApiGateway::(Account|BasePathMapping|Deployment|DomainName|RequestValidator|Stage))/;

const known = new Set([
  'AWS::ApiGateway::RestApi',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
]);

/** Returns what to run of a template. @throws TemplateError for unsupported resources or properties */
export const readDeployment = (resources: readonly Resource[]) => {
  for (const { id, type } of resources)
    if (!known.has(type) && !withoutLocalPart.test(type))
      throw new TemplateError(`the type ${type} of ${id} is not supported by the local stack`);
  const read = <T>(type: string, parse: (resource: Resource) => T): T[] =>
    resources.filter((resource) => resource.type === type).map(parse);
  return {
    tables: read('AWS::DynamoDB::Table', readTable),
    queues: read('AWS::SQS::Queue', readQueue),
    functions: read('AWS::Lambda::Function', readFunction),
    eventSources: read('AWS::Lambda::EventSourceMapping', readEventSource),
    schedules: read('AWS::Events::Rule', readRule).flat(),
    mailEvents: read('AWS::Events::Rule', readMailRule).flat(),
    routes: readRoutes(resources),
  };
};

const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const tableSchema = v.object({
  TableName: v.string(),
  BillingMode: v.literal('PAY_PER_REQUEST'),
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: keySchema,
        Projection: v.object({
          ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: v.optional(v.array(v.string())),
        }),
      }),
    ),
  ),
});

const ttlSchema = v.object({
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string(), Enabled: v.literal(true) })),
});

const readTable = ({ properties }: Resource) => {
  const definition = v.parse(tableSchema, properties);
  const ttl = v.parse(ttlSchema, properties).TimeToLiveSpecification;
  // The definition has the properties as `CreateTable` of DynamoDB accepts them.
  return { name: definition.TableName, definition, ttlAttribute: ttl?.AttributeName };
};

const queueSchema = v.object({
  QueueName: v.string(),
  DelaySeconds: v.optional(v.number()),
  MaximumMessageSize: v.optional(v.number()),
  MessageRetentionPeriod: v.optional(v.number()),
  ReceiveMessageWaitTimeSeconds: v.optional(v.number()),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
  VisibilityTimeout: v.optional(v.number()),
});

/** Returns the attributes as SQS accepts them: strings, numbers in decimal notation, policies as JSON. */
const readQueue = ({ properties }: Resource) => {
  const { QueueName: name, ...attributes } = v.parse(queueSchema, properties);
  const texts = Object.entries(attributes).map(([key, value]) => [
    key,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return { name, attributes: Object.fromEntries(texts) as Readonly<Record<string, string>> };
};

const functionSchema = v.object({
  FunctionName: v.string(),
  Description: v.optional(v.string(), ''),
  Handler: v.string(),
  MemorySize: v.optional(v.number(), 128),
  Runtime: v.literal('nodejs24.x'),
  Timeout: v.optional(v.number(), 3),
  Environment: v.optional(v.object({ Variables: v.record(v.string(), v.string()) }), { Variables: {} }),
});

const readFunction = ({ id, properties, assetFolder }: Resource) => {
  const parsed = v.parse(functionSchema, properties);
  if (assetFolder === undefined) throw new TemplateError(`the function ${id} has no bundle in the assembly`);
  const [module = '', name = ''] = parsed.Handler.split('.');
  return {
    name: parsed.FunctionName,
    folder: assetFolder,
    module: `${module}.mjs`,
    export: name,
    timeoutMs: parsed.Timeout * 1000,
    memoryMb: parsed.MemorySize,
    description: parsed.Description,
    environment: parsed.Environment.Variables,
  };
};

const eventSourceSchema = v.object({
  BatchSize: v.optional(v.number(), 10),
  Enabled: v.optional(v.literal(true), true),
  EventSourceArn: v.pipe(v.string(), v.startsWith('arn:aws:sqs:', 'is the ARN of a queue')),
  FunctionName: v.string(),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  MaximumBatchingWindowInSeconds: v.optional(v.number(), 0),
  ScalingConfig: v.object({ MaximumConcurrency: v.number() }),
});

const readEventSource = ({ properties }: Resource) => {
  const parsed = v.parse(eventSourceSchema, properties);
  return {
    functionName: functionNameOf(parsed.FunctionName),
    queueName: parsed.EventSourceArn.split(':').at(-1) ?? '',
    queueArn: parsed.EventSourceArn,
    batchSize: parsed.BatchSize,
    windowMs: parsed.MaximumBatchingWindowInSeconds * 1000,
    maxConcurrency: parsed.ScalingConfig.MaximumConcurrency,
    reportsItemFailures: parsed.FunctionResponseTypes.length > 0,
  };
};

const ruleSchema = v.object({
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: v.array(v.object({ Arn: v.string(), Input: v.optional(v.undefined()) })),
});

const mailRuleSchema = v.object({
  EventPattern: v.object({ source: v.tuple([v.literal('aws.ses')]), 'detail-type': v.array(v.string()) }),
  Targets: v.array(v.object({ Arn: v.pipe(v.string(), v.includes(':function:')) })),
});

/** Returns the functions that hear what SES says about mails. */
const readMailRule = ({ properties }: Resource) => {
  const { success, output } = v.safeParse(mailRuleSchema, properties);
  if (!success) return [];
  const { EventPattern, Targets } = output;
  return Targets.map(({ Arn }) => ({ functionName: functionNameOf(Arn), detailTypes: EventPattern['detail-type'] }));
};

/** Returns the rules with a schedule. Other rules of a bus are not run, because the local stack has no EventBridge. */
const readRule = ({ id, properties }: Resource) => {
  const rule = v.parse(ruleSchema, properties);
  if (rule.ScheduleExpression === undefined || rule.State === 'DISABLED') return [];
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rule.ScheduleExpression) ?? [];
  const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }[unit ?? ''];
  if (unitMs === undefined) throw new TemplateError(`the schedule ${rule.ScheduleExpression} is not supported`);
  return rule.Targets.map(({ Arn }) => ({
    functionName: functionNameOf(Arn),
    ruleArn: arn('events', `rule/${id}`),
    everyMs: Number(count) * unitMs,
  }));
};

/** Returns a function's name from its name or ARN, with or without a version or an alias. */
const functionNameOf = (given: string): string => given.split(':')[given.startsWith('arn:') ? 6 : 0] ?? '';
