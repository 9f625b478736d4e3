/** Finds a stage of your own app: the stack `data` of each stage has the stage's settings as its output `Stage`. */
import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { parseStage } from '../cdk/parse-stage.ts';
import type { StageConfig } from '../cdk/stage.ts';

/** What the output has; another release may have settings that this one does not know. */
export const outputSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    name: v.string(),
    release: v.string(),
    format: v.number(),
    input: v.looseObject({ namePrefix: v.optional(v.string()) }),
  }),
);

/**
 * Returns the configuration of a deployed stage, in the region of the AWS profile.
 * @param wanted its name, or prefix and name as in `press-prod`
 * @throws Error if there is none, or more than one
 */
export const deployedStage = async (wanted: string): Promise<StageConfig> => {
  const client = new CloudFormationClient({ maxAttempts: 4 });
  const region = await client.config.region();
  const all: v.InferOutput<typeof outputSchema>[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
    for (const { Outputs = [], Tags = [] } of Stacks) {
      if (!Tags.some(({ Key, Value }) => Key === 'application' && Value === 'masthead')) continue;
      const value = Outputs.find(({ OutputKey }) => OutputKey === 'Stage')?.OutputValue;
      if (value !== undefined) all.push(v.parse(outputSchema, value));
    }
  const names = ({ name, input: { namePrefix = 'masthead' } }: (typeof all)[number]) => [name, `${namePrefix}-${name}`];
  const [found, ...others] = all.filter((one) => names(one).includes(wanted));
  const known = all.map((one) => names(one)[1]).join(', ') || 'none';
  if (found === undefined) throw new Error(`No stage ${wanted} is deployed in ${region}. Deployed there: ${known}.`);
  if (others.length > 0) throw new Error(`${region} has ${others.length + 1} stages ${wanted}. Name one of ${known}.`);
  return parseStage(found.name, { ...found.input, region }, `The stage of release ${found.release}`);
};
