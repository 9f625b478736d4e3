/** Reads the resources of the stages from their templates. */
import { join } from 'node:path';
import * as v from 'valibot';
import { inject } from 'vitest';
import { type ContractLine, contract } from '../../shared/contract.ts';
import { readExports, readOutputs, readTemplates, type TemplateResource } from './resolved.ts';
import { synthesizedStages } from './stages.ts';

export const lines: readonly ContractLine[] = contract;

export interface Synthesized {
  all(stage: string): readonly TemplateResource[];
  exports(stage: string): readonly string[];
  outputs(stage: string): readonly string[];
  /**
   * Returns the resources of a type, such as `SQS::Queue`, with properties parsed by the schema; without the check of
   * releases, which belongs to no line of the contract (release.test.ts).
   */
  of<Schema extends v.GenericSchema>(
    stage: string,
    type: string,
    schema: Schema,
  ): (Omit<TemplateResource, 'properties'> & { readonly properties: v.InferOutput<Schema> })[];
}

/** Reads the templates of all stages, which were synthesized before the first test. */
export const synthesized = (): Synthesized => {
  const { folder, failure } = inject('template');
  if (failure !== undefined) throw new Error(`the templates could not be made: ${failure}`);
  const resources = new Map(synthesizedStages.map(({ name }) => [name, readTemplates(join(folder, name), name)]));
  const all = (stage: string) => {
    const found = resources.get(stage);
    if (!found) throw new Error(`The stage ${stage} was not synthesized.`);
    return found;
  };
  return {
    all,
    exports: (stage) => readExports(join(folder, stage), stage),
    outputs: (stage) => readOutputs(join(folder, stage)),
    of: (stage, type, schema) =>
      all(stage)
        .filter((resource) => resource.type === type && !resource.id.startsWith('ReleaseCheck'))
        .map((resource) => ({ ...resource, properties: v.parse(schema, resource.properties) })),
  };
};

/** Returns the name of a function on AWS. */
export const functionName = (stage: string, line: ContractLine): string =>
  `masthead-${stage}-${line.function.replaceAll('/', '-')}`;
