/** Whether the deployed stage is the one of this stage table: stages of one name would replace each other's stacks. */
import { GetFunctionConfigurationCommand, type LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { physicalName } from '../../cdk/names.ts';
import { type Examined, type Found, passed, skipped, stops } from './finding.ts';

const deployedSettings = v.pipe(v.string(), v.parseJson(), v.object({ publication: v.object({ url: v.string() }) }));

/** Compares the publication of a deployed function, the smallest one, with the stage's. Every function has it. */
export const checkOwner = async (client: LambdaClient, { config, stacks }: Examined): Promise<Found[]> => {
  if (!stacks.has('admin')) return [skipped('The stack admin is not deployed.')];
  const { url } = config.settings.publication;
  const found = await deployedUrl(client, physicalName(config, 'site/read'));
  if (found === undefined) return [skipped('The function site/read is not deployed.')];
  if (found === url) return [passed(`The deployed stage serves ${url}.`)];
  return [
    stops(
      `The stacks ${physicalName(config, '…')} serve ${found}, but this stage belongs to ${url}: ` +
        'a deployment would replace the other.',
      'if it is not an earlier URL of yours, rename your stage in infra/cdk/stages.ts',
    ),
  ];
};

const deployedUrl = async (client: LambdaClient, FunctionName: string): Promise<string | undefined> => {
  try {
    const { Environment } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));
    return v.parse(deployedSettings, Environment?.Variables?.SETTINGS).publication.url;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};
