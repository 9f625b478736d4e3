/** The accepted findings of the judges, each with its reason. A finding without a reason fails `npm --prefix lab run judges`. */

const noVpc =
  'The functions reach AWS and receivers on the internet. In a VPC they would need a NAT gateway (33 USD a month), and would hide nothing: they accept no connections.';
const noDlq =
  'It serves asynchronous invocations only. Queues have dead-letter queues, endpoints are called synchronously, and the next scheduled run completes the work of a failed one.';
const optionalConcurrency =
  '`reservedConcurrency` is optional: reserved executions are lost to all other functions, and an account with ten can reserve none.';
const noTracing =
  'Requests, events and deliveries are followed by their ids through structured logs; X-Ray would need a grant on all resources.';
const noCache =
  'Responses depend on the key of the caller. A cache would have to be paid by the hour, and could answer one caller with what belongs to another.';
const noExecutionLogs =
  'Execution logs contain request paths, and the path of an invitation contains its token. Access logs by resource and the logs of the functions replace them.';
const noClientCertificate =
  'It would authenticate the gateway to a backend on the internet. The backend is Lambda, which API Gateway calls with a role.';
const noBackupPlan =
  'Point-in-time recovery covers every second of 35 days. A plan of AWS Backup for copies in another region is the account owner’s (docs/disaster-recovery.md).';
const inlinePolicies =
  'Each role belongs to one function, and its policy to the line of the contract: a managed policy could be attached elsewhere, and changed apart.';
const keyIsASetting =
  '`features.customerManagedKey` is on in prod and required with the pipeline. Without it AWS’s own keys encrypt; dev costs a dollar a month less.';

const fixedNames =
  'Stacks name the resources of others, and an alarm or a runbook names them for people (docs/adr/0005-stacks-speak-by-name.md). `--import-existing-resources` takes over what a stack has kept.';

/** Reasons by rule, as the judge names it. */
export const reasons: Readonly<Record<string, string>> = {
  W3005: 'The CDK states dependencies that a reference implies too; CloudFormation ignores the repetition.',
  CKV_AWS_116: noDlq,
  CKV_AWS_117: noVpc,
  CKV_AWS_115: optionalConcurrency,
  CKV_AWS_173:
    'The environment has names, URLs and settings, and no secret. A key of the customer would have to be usable by every function’s role.',
  CKV_AWS_33:
    'The principal is any, but the conditions allow only the stage’s functions and deployments, and only through DynamoDB and SQS (test/infra/data.test.ts).',
  CKV_AWS_73: noTracing,
  CKV_AWS_120: noCache,
  CKV_AWS_26: keyIsASetting,
  CKV_AWS_27: 'SQS encrypts with its own key (`SqsManagedSseEnabled`), which this rule does not count.',
  CKV_AWS_76: 'Access logs are a setting; every function logs each response.',
  CKV_AWS_119: keyIsASetting,
  CKV_AWS_158: keyIsASetting,
  lambda_inside_vpc_check: noVpc,
  LAMBDA_INSIDE_VPC: noVpc,
  LAMBDA_CONCURRENCY_CHECK: optionalConcurrency,
  LAMBDA_DLQ_CHECK: noDlq,
  IAM_NO_INLINE_POLICY_CHECK: inlinePolicies,
  api_gw_v1_execution_logging_enabled_check: noExecutionLogs,
  API_GW_EXECUTION_LOGGING_ENABLED: noExecutionLogs,
  API_GW_CACHE_ENABLED_AND_ENCRYPTED: noCache,
  api_gw_xray_enabled_check: noTracing,
  dynamodb_table_encrypted_kms_check: keyIsASetting,
  DYNAMODB_TABLE_ENCRYPTED_KMS: keyIsASetting,
  DYNAMODB_TABLE_MUST_BE_ENCRYPTED: keyIsASetting,
  SQS_QUEUE_KMS_MASTER_KEY_ID_RULE: keyIsASetting,
  CLOUDWATCH_LOG_GROUP_ENCRYPTED: keyIsASetting,
  cloudwatch_log_group_encrypted_check: `${keyIsASetting} In the other stages the log groups have the key; the rule does not read one that another stack exports.`,
  cloudwatch_log_group_retention_period_check:
    'Logs can contain addresses of staff, so they are kept for as long as an investigation needs: `logRetentionDays`, 14 by default. The audit log is in the table.',
  CFN_NO_EXPLICIT_RESOURCE_NAMES: fixedNames,
  ...Object.fromEntries(
    ['NIST.800.53.R5', 'HIPAA.Security'].flatMap((pack) =>
      Object.entries({
        APIGWCacheEnabledAndEncrypted: noCache,
        APIGWExecutionLoggingEnabled: noExecutionLogs,
        APIGWSSLEnabled: noClientCertificate,
        APIGWXrayEnabled: noTracing,
        APIGWAssociatedWithWAF: 'A web ACL costs more than the rest of an idle stage; it is a setting.',
        CloudWatchLogGroupEncrypted: keyIsASetting,
        DynamoDBInBackupPlan: noBackupPlan,
        IAMNoInlinePolicy: inlinePolicies,
        LambdaConcurrency: optionalConcurrency,
        LambdaDLQ: noDlq,
        LambdaInsideVPC: noVpc,
        SNSEncryptedKMS: keyIsASetting,
      }).map(([rule, reason]) => [`${pack}-${rule}`, reason]),
    ),
  ),
};
