/**
 * Refuses a deployment that would skip a stored format, before it changes anything. The format is the physical id of
 * a custom resource: after a refused update CloudFormation still has the old id, so the rollback passes.
 */
import { CustomResource, Duration, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import { type Release, readBy, refusalOf } from '../release.ts';
import type { StageConfig } from '../stage.ts';

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requests.html */
export interface ReleaseRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  /** The format that is deployed; missing in `Create`. */
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: ReturnType<typeof propertiesOf>;
}

/** Answers CloudFormation. Its source is the code of the function, so it refers to nothing outside. */
export const answerCloudFormation = async (request: ReleaseRequest): Promise<void> => {
  const { RequestType, ResponseURL, StackId, RequestId, LogicalResourceId } = request;
  const { format, reads, refusals, unknown } = request.ResourceProperties;
  const deployed = request.PhysicalResourceId ?? format;
  const isRefused = RequestType === 'Update' && !reads.includes(deployed);
  const Reason = isRefused ? (refusals[deployed] ?? unknown) : '';
  const PhysicalResourceId = isRefused || RequestType === 'Delete' ? deployed : format;
  const Status = isRefused ? 'FAILED' : 'SUCCESS';
  const body = JSON.stringify({ Status, Reason, PhysicalResourceId, StackId, RequestId, LogicalResourceId });
  // The URL is signed for a request without a content type.
  await fetch(ResponseURL, { method: 'PUT', headers: { 'content-type': '' }, body });
};

/** Returns the custom resource's properties with every possible answer. CloudFormation passes only text. */
export const propertiesOf = (release: Release) => ({
  release: release.version,
  format: String(release.format),
  reads: readBy(release).map(String),
  refusals: Object.fromEntries(
    Array.from({ length: Math.max(release.format - 1, 0) }, (_, format) => [
      String(format),
      refusalOf(format, release) ?? '',
    ]),
  ) as Readonly<Record<string, string>>,
  unknown: refusalOf(release.format + 2, release)?.replace(/has the format \d+/, 'has a later format') ?? '',
});

export class ReleaseCheck extends Construct {
  constructor(scope: Construct, id: string, config: StageConfig, release: Release) {
    super(scope, id);
    const check = new LambdaFunction(this, 'Function', {
      functionName: physicalName(config, 'check-release'),
      description: 'Refuses a release that cannot read what the deployed one has stored',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromInline(`exports.handler = ${answerCloudFormation.toString()};`),
      timeout: Duration.seconds(30),
      memorySize: 128,
      // It needs no permission, writes no log, and the stage's key does not serve it: CloudFormation shows its answer.
      role: new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }).withoutPolicyUpdates(),
    });
    const reason = 'It runs once in each deployment, and calls nothing that a trace could show.';
    Validations.of(check).acknowledge({ id: 'Serverless::Serverless-LambdaTracing', reason });
    new CustomResource(this, 'Release', {
      resourceType: 'Custom::MastheadRelease',
      serviceToken: check.functionArn,
      serviceTimeout: Duration.minutes(2),
      properties: propertiesOf(release),
    });
  }
}
