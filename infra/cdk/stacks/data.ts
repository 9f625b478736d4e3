/** The stack `data`: the table, the queues and the bus, which hold everything that was acknowledged. */
import { CfnOutput, type Duration, Stack, type StackProps } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type ContractLine, contract, type QueueName, tableIndexes } from '../../../shared/contract.ts';
import { timeoutOf } from '../constructs/contract-function.ts';
import { DeadLetteredQueue } from '../constructs/dead-lettered-queue.ts';
import { publishingBus } from '../constructs/event-bus.ts';
import { ReleaseCheck } from '../constructs/release-check.ts';
import { removalPolicyOf } from '../constructs/removal.ts';
import { serveStage, stageKey } from '../constructs/stage-key.ts';
import { physicalName } from '../names.ts';
import { release } from '../release.ts';
import type { StageConfig } from '../stage.ts';

interface DataStackProps extends StackProps {
  readonly config: StageConfig;
  readonly existingKey: IKey | undefined;
}

export class DataStack extends Stack {
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, { config, existingKey, ...props }: DataStackProps) {
    super(scope, id, { ...props, stackName: physicalName(config, id), terminationProtection: config.retain });
    const removalPolicy = removalPolicyOf(config);
    this.key = existingKey ?? (config.features.customerManagedKey ? stageKey(this, config, removalPolicy) : undefined);
    if (this.key) serveStage(this.key, config);

    new CfnOutput(this, 'Stage', {
      description: 'The settings of the stage, by which ops finds it',
      value: this.toJsonString({
        name: config.name,
        release: release.version,
        format: release.format,
        input: config.input,
      }),
    });

    const { readsPerSecond, writesPerSecond } = config.warmThroughput ?? {};
    const warm = readsPerSecond !== undefined &&
      writesPerSecond !== undefined && {
        warmThroughput: { readUnitsPerSecond: readsPerSecond, writeUnitsPerSecond: writesPerSecond },
      };
    const table = new dynamodb.Table(this, 'Table', {
      tableName: physicalName(config),
      partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
      sortKey: { name: 'sk', type: dynamodb.AttributeType.STRING },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expires_at',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: config.retain,
      removalPolicy,
      ...warm,
      ...(this.key && { encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key }),
    });
    for (const indexName of tableIndexes)
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: indexName, type: dynamodb.AttributeType.STRING },
        sortKey: { name: `${indexName}_at`, type: dynamodb.AttributeType.STRING },
        projectionType: dynamodb.ProjectionType.KEYS_ONLY,
        ...warm,
      });

    for (const { name, timeout } of queuesOf(contract)) {
      const queue = new DeadLetteredQueue(this, name, { config, timeout, key: this.key, removalPolicy });
      if (name === 'events') publishingBus(this, config, queue);
    }
    // CloudFormation is not there on one machine.
    if (config.name === 'local') return;
    const others = this.node.children;
    const check = new ReleaseCheck(this, 'ReleaseCheck', config, release);
    for (const other of others) other.node.addDependency(check);
  }
}

const queuesOf = (lines: readonly ContractLine[]): { name: QueueName; timeout: Duration }[] =>
  lines.flatMap((line) =>
    line.kind === 'queue' ? line.sources.map(({ queue }) => ({ name: queue, timeout: timeoutOf(line) })) : [],
  );
