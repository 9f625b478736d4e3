/** The findings of cdk-nag that are acknowledged, each with its reason. */
import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { StageConfig } from './stage.ts';

const keysAreVerifiedInTheFunction =
  'Clients sign a new token for each request, so an authorizer could never use its cache and would only add a ' +
  'second function to each call. Every endpoint verifies the key first (shared/http/endpoint.ts); ' +
  'the contract states the callers.';

const oneIdInsteadOfTraces =
  'Requests, events and deliveries are followed by their ids through structured logs. ' +
  "Tracing would need xray:* on all resources in every role, beyond the function's line in the contract, " +
  "and would be billed for each of the schedule's 43,200 idle runs a month.";

const always: Readonly<Record<string, string>> = {
  'AwsSolutions::AwsSolutions-APIG2':
    'The functions validate every request and report every error by field in the error envelope ' +
    "(docs/compatibility.md); the gateway's validator can do neither.",
  'AwsSolutions::AwsSolutions-APIG4': keysAreVerifiedInTheFunction,
  'AwsSolutions::AwsSolutions-COG4': keysAreVerifiedInTheFunction,
  'AwsSolutions::AwsSolutions-APIG6':
    'Execution logs contain request paths, and the path of an invitation contains its token. ' +
    "Access logs by resource and the functions' own logs replace them.",
  'Serverless::Serverless-APIGWXrayEnabled':
    "API Gateway's traces contain the paths of requests, and the path of an invitation contains its token.",
  'Serverless::Serverless-APIGWDefaultThrottling':
    'A limit of the whole stage would be one bucket for everybody, which strangers could fill, and would exceed ' +
    'the quota of some regions (docs/adr/0025-no-shared-throttle-for-callers-with-a-key.md).',
  'Serverless::Serverless-LambdaDLQ':
    'It would serve asynchronous invocations only. Endpoints are called synchronously, workers have the ' +
    'dead-letter queues of their sources, the next scheduled run completes the work of a failed one, with an alarm ' +
    'if that continues, and SES sends its events on best effort; Lambda tries them three times.',
  'Serverless::Serverless-LambdaEventSourceMappingDestination':
    'Only streams support a destination for failures. All sources are SQS queues, each with a redrive policy to a ' +
    'dead-letter queue.',
};

/** Acknowledges the findings that are design decisions, and those that follow from the stage's features. */
export const acknowledgeDecisions = (stage: IConstruct, config: StageConfig): void => {
  const { waf, accessLogs, xray } = config.features;
  const decisions = {
    ...always,
    ...(!xray && { 'Serverless::Serverless-LambdaTracing': oneIdInsteadOfTraces }),
    ...(!waf && {
      'AwsSolutions::AwsSolutions-APIG3':
        'A web ACL costs more than the rest of an idle stage; it is a stage setting. ' +
        'What strangers may call has rate limits without it.',
    }),
    ...(!accessLogs && {
      'AwsSolutions::AwsSolutions-APIG1': 'Access logs are off in this stage; every function logs each response.',
      'Serverless::Serverless-APIGWAccessLogging':
        'Access logs are off in this stage; every function logs each response.',
    }),
  };
  for (const [id, reason] of Object.entries(decisions)) Validations.of(stage).acknowledge({ id, reason });
};

/** The id of the finding that a role has a managed policy of AWS. */
export const managedPolicyFinding = (policy: string): string =>
  `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${policy}]`;
