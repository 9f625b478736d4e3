/** Invokes a function of a stage that only the operator may invoke, with AWS credentials. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import type { FunctionName } from '../../shared/contract.ts';
import { physicalName } from '../cdk/names.ts';
import type { StageConfig } from '../cdk/stage.ts';

/** Whether IAM has refused a write: the first one of a stage is a transaction, so this shows how IAM reads one. */
const isRefusal = (text: string): boolean => /not authorized to perform: dynamodb:/.test(text);

const wayOut = ({ name, transactionGrants }: StageConfig): string =>
  transactionGrants === 'narrow'
    ? `\nIAM reads the keys of a transaction together: set transactionGrants: ` +
      `'union' for ${name} in infra/cdk/stages.ts, and deploy ${name}/*.`
    : '';

const failure = v.object({ errorMessage: v.string() });

/** Returns the answer of the function. @throws Error with its reason if it is missing or fails */
export const invokeCommand = async (config: StageConfig, name: FunctionName, request: object): Promise<unknown> => {
  const FunctionName = physicalName(config, name);
  const client = new LambdaClient({ ...(config.region !== null && { region: config.region }) });
  const { FunctionError, Payload: output } = await client
    .send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }))
    .catch((error: Error) => {
      const isMissing = error.name === 'ResourceNotFoundException';
      const hint = isMissing ? ` Is the stage deployed? npm run cdk -- deploy '${config.name}/*'` : '';
      throw new Error(`${FunctionName} could not be invoked: ${error.name}: ${error.message}${hint}`, { cause: error });
    });
  const answer: unknown = JSON.parse(output?.transformToString() ?? '{}');
  if (FunctionError === undefined) return answer;
  const reason = v.safeParse(failure, answer);
  const text = reason.success ? reason.output.errorMessage : FunctionError;
  throw new Error(`${FunctionName} failed: ${text}${isRefusal(text) ? wayOut(config) : ''}`);
};
