/** A queue with its dead-letter queue, both reachable over TLS only. */
import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

/**
 * Receives before a message is dead. Throttled invocations count as receives too, so AWS asks for at least 5; ten leave room
 * for a bad half-hour of our own.
 */
const maxReceiveCount = 10;

interface DeadLetteredQueueProps {
  readonly config: StageConfig;
  /** Timeout of the function that reads the queue. */
  readonly timeout: Duration;
  readonly key: IKey | undefined;
  readonly removalPolicy: RemovalPolicy;
}

export class DeadLetteredQueue extends Construct {
  readonly queue: sqs.Queue;
  readonly dead: sqs.Queue;

  /** `name` is the queue's in the contract. */
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
      // A dead letter keeps the age it had, so it needs a longer retention than the queue it comes from.
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.dead).acknowledge({
      id: 'Serverless::Serverless-SQSRedrivePolicy',
      reason: 'It is a dead-letter queue: what lies in it waits for a person.',
    });
    this.queue = new sqs.Queue(this, 'Queue', {
      ...common,
      queueName: physicalName(config, name),
      retentionPeriod: Duration.days(7),
      // AWS: at least six times the function's timeout, so that no message is seen twice while its batch is retried.
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: this.dead, maxReceiveCount },
    });
  }
}
