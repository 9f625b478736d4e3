/** Synthesizes stages for the infra tests, and gives their resources. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeAll } from 'vitest';
import type { Bundles } from '../../infra/bundle.ts';
import { cached } from '../../infra/cache.ts';
import { parseStage, type StageConfig } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { type ContractLine, contract } from '../../shared/contract.ts';
import { accountId, readTemplates, region, type TemplateResource } from './resolved.ts';

export const lines: readonly ContractLine[] = contract;

/** The stages of the stage table. */
export const ofTable: readonly StageConfig[] = Object.entries(stages).map(([name, input]) => parseStage(name, input));

/** A stage that wants everything a stage can want. */
export const everything = parseStage('everything', {
  region,
  publication: { name: 'Everything', url: 'https://example.org' },
  mail: { from: 'desk@example.org' },
  domain: {
    name: 'hooks.example.org',
    certificateArn: `arn:aws:acm:${region}:${accountId}:certificate/1`,
    hostedZone: { id: 'Z0123456789ABC', name: 'example.org' },
  },
  senderHostedZone: { id: 'Z0123456789ABC', name: 'example.org' },
  alarmEmail: 'on-call@example.org',
  throttleOf: { 'events/publish': { ratePerSecond: 7, burst: 9 } },
  retain: true,
  features: { dashboard: true, alarms: true, canary: true, waf: true, accessLogs: true, customerManagedKey: true },
});

/** A stage whose account knows the sender already. */
export const existing = parseStage('existing', {
  region,
  publication: { name: 'Existing', url: 'https://example.org' },
  mail: { from: 'desk@example.org' },
  senderIdentity: 'existing',
});

const configs = [...ofTable, everything, existing];

/** Resources of stages, by the stage's name. */
export interface Synthesized {
  all(stage: string): readonly TemplateResource[];
  /** Those of one type, such as `SQS::Queue`, with their properties as the schema says. */
  of<Schema extends v.GenericSchema>(
    stage: string,
    type: string,
    schema: Schema,
  ): (Omit<TemplateResource, 'properties'> & { readonly properties: v.InferOutput<Schema> })[];
}

/** Stands in for the bundles: templates say the same whatever is in them, and real ones have a test of their own. */
export function emptyBundles(): Bundles & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bundle-'));
  writeFileSync(join(folder, 'index.mjs'), 'export const handler = async () => {};\n');
  return { folderOf: () => folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The resources of all stages above, synthesized before the tests of a file unless they lie in the cache. */
export function synthesized(): Synthesized {
  const resources = new Map<string, readonly TemplateResource[]>();
  beforeAll(async () => {
    const sources = { folders: ['infra', 'shared'], key: JSON.stringify(configs) };
    const folder = await cached('templates', sources, async (outdir) => {
      const { synthesize } = await import('../../infra/synthesize.ts');
      const bundles = emptyBundles();
      await synthesize(configs, bundles, { checked: false, outdir });
      bundles.remove();
    });
    for (const { name } of configs) resources.set(name, readTemplates(join(folder, `assembly-${name}`), name));
  }, 30_000);
  const all = (stage: string) => {
    const found = resources.get(stage);
    if (!found) throw new Error(`The stage ${stage} was not synthesized.`);
    return found;
  };
  return {
    all,
    of: (stage, type, schema) =>
      all(stage)
        .filter((resource) => resource.type === type)
        .map((resource) => ({ ...resource, properties: v.parse(schema, resource.properties) })),
  };
}

/** A function's name on AWS. */
export const functionName = (stage: string, line: ContractLine): string =>
  `masthead-${stage}-${line.function.replaceAll('/', '-')}`;
