/** The construct `Masthead`: one stage with its stacks, in your app or in the app of this repository. */
import { PermissionsBoundary, type Stack, Stage, Token } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { acknowledgeDecisions } from './acknowledged.ts';
import { type Bundles, packagedBundles } from './bundles.ts';
import { functionGroups } from './function-groups.ts';
import { physicalName, tableName } from './names.ts';
import { parseStage, StageError } from './parse-stage.ts';
import { wrongTogether } from './shared-account.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { FunctionsStack } from './stacks/functions.ts';
import { MailStack } from './stacks/mail.ts';
import { NetworkStack } from './stacks/network.ts';
import { ObservabilityStack } from './stacks/observability.ts';
import { PipelineStack } from './stacks/pipeline.ts';
import type { StageConfig, StageInput } from './stage.ts';

/** The settings of the stage, and what your app passes to it. */
export interface MastheadProps extends Omit<StageInput, 'region'> {
  /** The name of the stage: 1 to 19 lower-case letters and digits. Default: the path of the construct. */
  readonly name?: string;
  /** The region of the stage. Default: the region of the app or CDK stage around it. */
  readonly region?: string | null;
  /**
   * Your KMS key for table, queues, topics and logs, instead of the one of `features.customerManagedKey`.
   * A key of the same app gets what the stage needs in its policy; an imported one must have it (docs/package.md).
   */
  readonly encryptionKey?: IKey;
  /** The code of the functions. Default: the bundles of this package. */
  readonly bundles?: Bundles;
}

const qualifierContext = '@aws-cdk/core:bootstrapQualifier';

/** A stage of Masthead. Its stacks are its children: `cdk deploy 'Webhooks/*'` deploys the stage `Webhooks`. */
export class Masthead extends Construct {
  /** The base URL of the API, without a trailing slash. A stack that uses it imports it from the stack `api`. */
  readonly url: string;
  /** The name of the EventBridge bus whose events are delivered to webhooks. */
  readonly eventBusName: string;
  readonly tableName: string;
  /** The target of the DNS record for a `domain` without a hosted zone. */
  readonly domainTarget: string | undefined;
  /** The CNAME records with which SES signs the mails of a created identity without a hosted zone. */
  readonly dkimRecords: readonly { readonly name: string; readonly value: string }[];
  /** The addresses of deliveries; none without `egress`. Another stack imports one from the stack `network`. */
  readonly egressAddresses: readonly string[];
  private readonly config: StageConfig;

  /** @throws StageError that lists every wrong setting with the reason */
  constructor(scope: Construct, id: string, props: MastheadProps) {
    super(scope, id);
    const { name = nameOf(this), encryptionKey: existingKey, bundles = packagedBundles, ...input } = props;
    const config = parseStage(name, { ...surroundings(this), ...withKey(input, existingKey) }, `The construct ${id}`);
    this.config = config;
    this.node.setContext(qualifierContext, config.bootstrapQualifier);
    // Only the stage's KMS key is passed between stacks, because `data` must refuse to remove it while the logs use it.
    this.node.setContext('@aws-cdk/core:defaultCrossStackReferences', 'strong');
    // Without it, EventBridge of any account could send to a queue that is encrypted with our key.
    this.node.setContext('@aws-cdk/aws-events:eventsTargetQueueSameAccount', true);
    // A function that writes no log needs no log group, which would stay behind and stop the next deployment.
    this.node.setContext('@aws-cdk/aws-lambda:useCdkManagedLogGroup', false);
    this.node.addValidation({ validate: () => this.wrongBesideOthers() });

    const { account, region, permissionsBoundary } = config;
    const common = {
      config,
      env: { ...(region && { region }), ...(account && { account }) },
      // CloudFormation puts a stack's tags on its resources; the bill can be split by them.
      tags: { ...config.tags, application: 'masthead', stage: config.name },
      ...(permissionsBoundary && { permissionsBoundary: PermissionsBoundary.fromArn(permissionsBoundary) }),
    };
    const data = new DataStack(this, 'data', { ...common, existingKey });
    const mail = new MailStack(this, 'mail', common);
    const observability = new ObservabilityStack(this, 'observability', { ...common, key: data.key });
    const api = new ApiStack(this, 'api', common);
    const network =
      config.egress && 'natGateways' in config.egress
        ? [new NetworkStack(this, 'network', { ...common, natGateways: config.egress.natGateways })]
        : [];
    // They refer to each other by name (docs/adr/0005), so CloudFormation has no order. `data` may refuse the release.
    for (const stack of [mail, observability, api, ...network]) stack.addStackDependency(data);
    api.addStackDependency(observability);
    // One after the other: readers must understand a message's new form before anyone sends it.
    let before: readonly Stack[] = [data, mail, api, ...network];
    for (const group of functionGroups) {
      const functions = new FunctionsStack(this, { ...common, group, bundles });
      for (const stack of before) functions.addStackDependency(stack);
      before = [functions];
    }
    if (config.pipeline) new PipelineStack(this, 'pipeline', { ...common, pipeline: config.pipeline });
    acknowledgeDecisions(this, config);

    this.url = api.url;
    this.domainTarget = api.domainTarget;
    this.eventBusName = physicalName(config);
    this.tableName = tableName(config);
    this.dkimRecords = mail.dkimRecords;
    this.egressAddresses =
      config.egress && 'addresses' in config.egress
        ? config.egress.addresses
        : network.flatMap(({ addresses }) => addresses);
  }

  private wrongBesideOthers(): string[] {
    const all = this.node.root.node.findAll().filter((one) => one instanceof Masthead);
    const same = all.filter(
      ({ config }) =>
        physicalName(config) === physicalName(this.config) &&
        config.account === this.config.account &&
        config.region === this.config.region,
    );
    const names =
      same.length > 1 ? [`${this.config.name} is the name of ${same.length} stages: set another name.`] : [];
    return all[0] === this ? [...names, ...wrongTogether(all.map(({ config }) => config))] : names;
  }
}

/** Returns the path of a construct as a name. @throws StageError if it makes none */
const nameOf = ({ node }: Construct): string => {
  const name = node.path.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (/^[a-z].{0,18}$/.test(name)) return name;
  throw new StageError(
    `The construct ${node.path}: its path is no name of a stage. Set name, 1 to 19 letters and digits.`,
  );
};

/** Returns account, region and bootstrap of the app or CDK stage around a construct, as far as they are known. */
const surroundings = (construct: Construct) => {
  const { account, region } = Stage.of(construct) ?? {};
  const bootstrapQualifier: unknown = construct.node.tryGetContext(qualifierContext);
  return {
    region: region === undefined || Token.isUnresolved(region) ? null : region,
    ...(account !== undefined && !Token.isUnresolved(account) && { account }),
    ...(bootstrapQualifier !== undefined && { bootstrapQualifier }),
  };
};

const withKey = <T extends Pick<StageInput, 'features'>>(input: T, key: IKey | undefined): T =>
  key === undefined ? input : { ...input, features: { ...input.features, customerManagedKey: true } };
