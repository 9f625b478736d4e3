/** Checks the account and what is deployed there: credentials, missing settings, bootstrap and stacks. */
import { type CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { functionGroups } from '../../cdk/function-groups.ts';
import { physicalName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { unsetSettings } from '../../cdk/unset-settings.ts';
import { credentialsFix } from '../../command-line/credentials.ts';
import { type Found, passed, stops } from './finding.ts';

/** The version that the CDK's templates require: `requiresBootstrapStackVersion` in the manifest of an assembly. */
export const requiredBootstrap = 6;

/** The default qualifier of the CDK, whose bootstrap is the stack CDKToolkit. */
const defaultQualifier = 'hnb659fds';

export const readAccount = async (
  sts: STSClient,
  { name, account }: StageConfig,
): Promise<{ readonly account?: string; readonly found: Found }> => {
  try {
    const { Account = '', Arn } = await sts.send(new GetCallerIdentityCommand());
    if (account === undefined || account === Account)
      return { account: Account, found: passed(`${Arn} in the account ${Account}`) };
    return {
      found: stops(
        `The credentials are of the account ${Account}, the stage ${name} belongs to ${account}.`,
        `export AWS_PROFILE=<a profile of ${account}>`,
      ),
    };
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return {
      found: stops(`AWS does not accept the credentials. ${reason}`, credentialsFix),
    };
  }
};

/** Settings of the stage that a deployment would refuse. */
export const checkSettings = (config: StageConfig): Found[] => {
  const unset = unsetSettings(config);
  if (unset.length === 0) return [passed('No placeholder is left.')];
  return unset.map((text) => stops(text, `edit the stage ${config.name} in infra/cdk/stages.ts`));
};

export const checkBootstrap = async (
  client: CloudFormationClient,
  account: string,
  region: string,
  qualifier: string,
): Promise<Found[]> => {
  const own =
    qualifier === defaultQualifier ? '' : ` --qualifier ${qualifier} --toolkit-stack-name CDKToolkit-${qualifier}`;
  const stack = await describe(client, own === '' ? 'CDKToolkit' : `CDKToolkit-${qualifier}`);
  const fix = `npm run cdk -- bootstrap aws://${account}/${region}${own}`;
  if (stack === undefined) return [stops(`The CDK is not bootstrapped in ${region}.`, fix)];
  const version = Number(stack.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion')?.OutputValue);
  if (Number.isNaN(version)) return [stops('The stack CDKToolkit reports no version.', fix)];
  if (version >= requiredBootstrap) return [passed(`Version ${version}; at least ${requiredBootstrap} is needed.`)];
  return [stops(`The bootstrap has version ${version}; at least ${requiredBootstrap} is needed.`, fix)];
};

/** Reads the stage's stacks. States in which CloudFormation accepts no update are findings. */
export const readStacks = async (client: CloudFormationClient, config: StageConfig) => {
  const states = new Map<string, string>();
  const outputs = new Map<string, string>();
  const found: Found[] = [];
  for (const name of ['data', 'mail', 'observability', 'api', ...functionGroups]) {
    const StackName = physicalName(config, name);
    const stack = await describe(client, StackName);
    // A stack in review has a change set and no resources.
    if (stack?.StackStatus === undefined || stack.StackStatus === 'REVIEW_IN_PROGRESS') continue;
    states.set(name, stack.StackStatus);
    for (const { OutputKey = '', OutputValue = '' } of stack.Outputs ?? []) outputs.set(OutputKey, OutputValue);
    if (/(ROLLBACK|_FAILED|DELETE)/.test(stack.StackStatus) && stack.StackStatus !== 'UPDATE_ROLLBACK_COMPLETE')
      found.push(stops(`The stack ${StackName} is in the state ${stack.StackStatus}.`, fixOf(StackName, stack)));
  }
  if (found.length === 0)
    found.push(passed(states.size === 0 ? 'Nothing is deployed yet.' : `Deployed: ${[...states.keys()].join(', ')}`));
  return { stacks: states, outputs, found };
};

const fixOf = (name: string, { StackStatus, EnableTerminationProtection }: Stack): string => {
  const events = `aws cloudformation describe-stack-events --stack-name ${name}`;
  // The CDK deletes a stack whose creation failed before it deploys again; CloudFormation keeps a protected one.
  const isRefused = EnableTerminationProtection === true && /^ROLLBACK_/.test(StackStatus ?? '');
  const unprotect = isRefused
    ? `, then aws cloudformation update-termination-protection --stack-name ${name} --no-enable-termination-protection`
    : '';
  return `${events}${unprotect}, then docs/operations.md#if-the-first-deploy-fails`;
};

const describe = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks[0];
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist'))
      return undefined;
    throw error;
  }
};
