/** Removes from an assembly's templates what moto cannot create, and lists each resource and output with the reason. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const resourceSchema = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.looseObject({ EventBusName: v.optional(v.unknown()) }), {}),
  DependsOn: v.optional(v.union([v.string(), v.array(v.string())])),
});
const templateSchema = v.looseObject({
  Resources: v.record(v.string(), resourceSchema),
  Outputs: v.optional(v.record(v.string(), v.unknown()), {}),
});
export type Template = v.InferOutput<typeof templateSchema>;

export interface SkippedResource {
  readonly stack: string;
  readonly id: string;
  readonly type: string;
  readonly reason: string;
}

/** Resources of types that moto has, and at which it fails nevertheless, with the words of its log. */
const failure = ({ Type, Properties: { EventBusName } }: v.InferOutput<typeof resourceSchema>): string | undefined => {
  if (Type === 'AWS::Events::Rule' && typeof EventBusName === 'object')
    return "moto fails at a Ref of an event bus: AttributeError: 'EventBus' object has no attribute 'split'";
  if (Type === 'AWS::ApiGateway::Deployment')
    return "moto does not read the document of a RestApi: The REST API doesn't contain any methods";
  return undefined;
};

/** Removes from a template what moto cannot create (not in `types`), and what refers to such a resource. */
export const withoutUnsupported = (
  stack: string,
  { Resources, Outputs, ...others }: Template,
  types: ReadonlySet<string>,
): { readonly template: Template; readonly skipped: readonly SkippedResource[] } => {
  const skipped = new Map<string, SkippedResource>();
  const leave = (id: string, type: string, reason: string) => skipped.set(id, { stack, id, type, reason });
  for (const [id, resource] of Object.entries(Resources)) {
    const { Type } = resource;
    // The words of moto's log for a type that it skips.
    const reason = types.has(Type) ? failure(resource) : `No Moto CloudFormation support for ${Type}`;
    if (reason !== undefined) leave(id, Type, reason);
  }
  const parts = [
    ...Object.entries(Resources).map(([id, { Type, Properties }]) => [id, Type, Properties] as const),
    ...Object.entries(Outputs).map(([id, output]) => [id, 'Output', output] as const),
  ];
  for (let before = -1; before !== skipped.size; ) {
    before = skipped.size;
    for (const [id, type, value] of parts.filter(([id]) => !skipped.has(id))) {
      const missing = referencesIn(value).find((target) => skipped.has(target));
      if (missing !== undefined) leave(id, type, `refers to ${missing}`);
    }
  }
  const kept = Object.entries(Resources).filter(([id]) => !skipped.has(id));
  return {
    template: {
      ...others,
      Resources: Object.fromEntries(
        kept.map(([id, { DependsOn = [], ...resource }]) => {
          const order = [DependsOn].flat().filter((target) => !skipped.has(target));
          return [id, { ...resource, ...(order.length > 0 && { DependsOn: order }) }];
        }),
      ),
      Outputs: Object.fromEntries(Object.entries(Outputs).filter(([id]) => !skipped.has(id))),
    },
    skipped: [...skipped.values()],
  };
};

const referencesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, argument]) => {
    if (name === 'Ref') return [String(argument)];
    if (name === 'Fn::GetAtt') return [String([argument].flat()[0]).replace(/\..*/, '')];
    return referencesIn(argument);
  });
};

/** Removes a function from the templates of a stage, as in a release before it. @param id such as `RolesList` */
export const withoutFunction = (folder: string, id: string): void => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.template.json'))) {
    const path = join(folder, file);
    const template = v.parse(templateSchema, JSON.parse(readFileSync(path, 'utf8')));
    const kept = Object.entries(template.Resources).filter(([name]) => !name.startsWith(id));
    writeFileSync(path, JSON.stringify({ ...template, Resources: Object.fromEntries(kept) }));
  }
};

/** Changes the templates in the folder of a stage's assembly. */
export const leaveOut = (folder: string, stage: string, types: ReadonlySet<string>): readonly SkippedResource[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .flatMap((file) => {
      const path = join(folder, file);
      const stack = file.slice(stage.length).replace(/[0-9A-F]{8}\.template\.json$/, '');
      const before = v.parse(templateSchema, JSON.parse(readFileSync(path, 'utf8')));
      const { template, skipped } = withoutUnsupported(stack, before, types);
      writeFileSync(path, JSON.stringify(template));
      return skipped;
    });
