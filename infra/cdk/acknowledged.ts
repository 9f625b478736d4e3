/** What cdk-nag finds and we leave as it is, for all stages, each with the reason. */
import { type Stage, Validations } from 'aws-cdk-lib';
import type { StageConfig } from './stage.ts';

const keysAreVerifiedInTheFunction =
  'Clients sign a new token for each request, so an authorizer could never answer from its cache and would only add a second function ' +
  'to each call. Every endpoint verifies the key before it does anything (shared/http/endpoint.ts); who may call stands in the contract.';

const oneIdInsteadOfTraces =
  'Requests, events and deliveries are followed by their ids through structured logs. Tracing would need xray:* on all resources in every ' +
  "role, beyond the function's line in the contract, and bills each of the schedule's 43,200 idle runs a month.";

/** What holds for every stage by design. */
const always: Readonly<Record<string, string>> = {
  'AwsSolutions::AwsSolutions-APIG2':
    "The functions check every request and tell every failure by field in the wire contract's envelope; the gateway's validator can do neither.",
  'AwsSolutions::AwsSolutions-APIG4': keysAreVerifiedInTheFunction,
  'AwsSolutions::AwsSolutions-COG4': keysAreVerifiedInTheFunction,
  'AwsSolutions::AwsSolutions-APIG6':
    "Execution logs write paths as they came, and an invitation's path holds its token. Access logs by resource and the functions' own logs say the rest.",
  'Serverless::Serverless-APIGWXrayEnabled': oneIdInsteadOfTraces,
  'Serverless::Serverless-LambdaTracing': oneIdInsteadOfTraces,
  'Serverless::Serverless-LambdaDLQ':
    'It would serve asynchronous invocations only. Endpoints are called synchronously, workers have the dead-letter queues of their sources, ' +
    'what a failed scheduled run left is done by the next one, with an alarm when that goes on, and what SES tells of a mail is sent on best ' +
    'effort already; Lambda tries it three times.',
  'Serverless::Serverless-LambdaEventSourceMappingDestination':
    'Only streams know a destination for failures. All sources are SQS queues, each with a redrive policy to a dead-letter queue.',
};

/** Acknowledges the findings that are decided by design, and those that follow from the stage's features. */
export function acknowledgeDecisions(stage: Stage, config: StageConfig): void {
  const { waf, accessLogs } = config.features;
  const decisions = {
    ...always,
    ...(!waf && {
      'AwsSolutions::AwsSolutions-APIG3':
        'A web ACL costs more than all the rest of a stage at rest; it is a stage setting. Each method has a rate of its own without it.',
    }),
    ...(!accessLogs && {
      'AwsSolutions::AwsSolutions-APIG1':
        'This stage does without access logs; every function logs each of its answers.',
      'Serverless::Serverless-APIGWAccessLogging':
        'This stage does without access logs; every function logs each of its answers.',
    }),
  };
  for (const [id, reason] of Object.entries(decisions)) Validations.of(stage).acknowledge({ id, reason });
}

/** The id of the finding that a role has a policy of AWS's own. */
export function managedPolicyFinding(policy: string): string {
  return `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${policy}]`;
}
