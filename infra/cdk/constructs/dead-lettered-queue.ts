/** A queue with its dead-letter queue, both over TLS only. */
import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { visibilitySeconds } from '../../../shared/foundation/visibility.ts';
import { physicalName } from '../names.ts';
import { maxReceivesAt } from '../queue-times.ts';
import type { StageConfig } from '../stage.ts';
import { arnOf } from './arns.ts';

interface DeadLetteredQueueProps {
  readonly config: StageConfig;
  readonly timeout: Duration;
  readonly key: IKey | undefined;
  readonly removalPolicy: RemovalPolicy;
}

export class DeadLetteredQueue extends Construct {
  readonly queue: sqs.Queue;
  readonly dead: sqs.Queue;

  /** `name` is the queue's name in the contract. */
  constructor(scope: Construct, name: string, { config, timeout, key, removalPolicy }: DeadLetteredQueueProps) {
    super(scope, name);
    const common = {
      ...(key
        ? { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: key, dataKeyReuse: Duration.hours(1) }
        : { encryption: sqs.QueueEncryption.SQS_MANAGED }),
      enforceSSL: true,
      removalPolicy,
    };
    this.dead = new sqs.Queue(this, 'Dead', {
      ...common,
      queueName: physicalName(config, name, 'dead'),
      // A dead letter keeps its age, so it needs a longer retention than its source queue (AWS).
      retentionPeriod: Duration.days(14),
      redriveAllowPolicy: {
        redrivePermission: sqs.RedrivePermission.BY_QUEUE,
        // By its name: the queue refers to this one.
        sourceQueues: [sqs.Queue.fromQueueArn(this, 'Source', arnOf('sqs', physicalName(config, name)))],
      },
    });
    Validations.of(this.dead).acknowledge({
      id: 'Serverless::Serverless-SQSRedrivePolicy',
      reason: 'It is a dead-letter queue: its messages wait for an operator.',
    });
    const visibility = visibilitySeconds(timeout.toSeconds());
    this.queue = new sqs.Queue(this, 'Queue', {
      ...common,
      queueName: physicalName(config, name),
      retentionPeriod: Duration.days(7),
      visibilityTimeout: Duration.seconds(visibility),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: this.dead, maxReceiveCount: maxReceivesAt(visibility) },
    });
  }
}
