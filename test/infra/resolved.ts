/**
 * Resolves references in a stage's templates, as far as tests need it. Imports nothing of `infra/`, so that the
 * templates are read independently of their writer. A resource without a name has its logical id.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

export const region = 'eu-central-1';
export const accountId = '111111111111';
export const arn = (service: string, rest: string): string => `arn:aws:${service}:${region}:${accountId}:${rest}`;
export const queueUrl = (name: string): string => `https://sqs.${region}.amazonaws.com/${accountId}/${name}`;

const templateSchema = v.object({
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
      Metadata: v.optional(v.looseObject({ 'aws:asset:path': v.optional(v.string()) }), {}),
      DeletionPolicy: v.optional(v.string()),
      UpdateReplacePolicy: v.optional(v.string()),
      DependsOn: v.optional(
        v.union([
          v.array(v.string()),
          v.pipe(
            v.string(),
            v.transform((id) => [id]),
          ),
        ]),
        [],
      ),
    }),
  ),
  Parameters: v.optional(v.record(v.string(), v.object({ Type: v.string(), Default: v.optional(v.string()) })), {}),
  Outputs: v.optional(
    v.record(v.string(), v.object({ Value: v.unknown(), Export: v.optional(v.object({ Name: v.string() })) })),
    {},
  ),
});
type Template = v.InferOutput<typeof templateSchema>;

export interface TemplateResource {
  readonly id: string;
  readonly type: string;
  /** Name of the stack: `data`, `mail`, `observability`, `api`, a group of functions, or `pipeline`. */
  readonly stack: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assetFolder: string | undefined;
  readonly deletionPolicy: string | undefined;
  readonly updateReplacePolicy: string | undefined;
  readonly dependsOn: readonly string[];
}

/** Returns all resources of the stacks whose templates are in a folder; `stage` is the prefix of the file names. */
export const readTemplates = (folder: string, stage: string): TemplateResource[] => {
  const templates = readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => ({
      stack: file.slice(stage.length).replace(/[0-9A-F]{8}\.template\.json$/, ''),
      template: v.parse(templateSchema, JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    }));
  const imports: Imports = new Map<string, () => unknown>(
    templates.flatMap(({ template }) => [
      ...Object.values(template.Outputs).flatMap(({ Value, Export }) =>
        Export ? [[Export.Name, () => resolve(Value, template, imports)] as const] : [],
      ),
      // What another stack reads from Parameter Store, by its name there.
      ...Object.values(template.Resources).flatMap(({ Type, Properties }) =>
        Type === 'AWS::SSM::Parameter'
          ? [[String(Properties.Name), () => resolve(Properties.Value, template, imports)] as const]
          : [],
      ),
    ]),
  );
  return templates.flatMap(({ stack, template }) =>
    Object.entries(template.Resources).map(([id, resource]) => ({
      id,
      type: resource.Type.replace(/^AWS::/, ''),
      stack,
      properties: v.parse(v.record(v.string(), v.unknown()), resolve(resource.Properties, template, imports)),
      assetFolder: resource.Metadata['aws:asset:path'] && join(folder, resource.Metadata['aws:asset:path']),
      deletionPolicy: resource.DeletionPolicy,
      updateReplacePolicy: resource.UpdateReplacePolicy,
      dependsOn: resource.DependsOn,
    })),
  );
};

/** Returns the exports of the stacks of a stage, as `stack value`; CloudFormation cannot change an export in use. */
export const readExports = (folder: string, stage: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .flatMap((file) => {
      const { Outputs } = v.parse(templateSchema, JSON.parse(readFileSync(join(folder, file), 'utf8')));
      const stack = file.slice(stage.length).replace(/[0-9A-F]{8}\.template\.json$/, '');
      return Object.values(Outputs).flatMap(({ Value, Export }) =>
        Export ? [`${stack} ${JSON.stringify(Value)}`] : [],
      );
    });

/** Returns the names of the outputs of the stacks of a stage. */
export const readOutputs = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .flatMap((file) =>
      Object.keys(v.parse(templateSchema, JSON.parse(readFileSync(join(folder, file), 'utf8'))).Outputs),
    );

type Imports = ReadonlyMap<string, () => unknown>;

const pseudo: Readonly<Record<string, string>> = {
  'AWS::AccountId': accountId,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
};

const resolve = (value: unknown, template: Template, imports: Imports): unknown => {
  const inner = (item: unknown) => resolve(item, template, imports);
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = [], ...others] = Object.entries(value);
  const list = () => v.parse(v.array(v.unknown()), inner(argument));
  if (others.length === 0) {
    switch (name) {
      case 'Ref':
        return (
          pseudo[String(argument)] ??
          parameter(String(argument), template, imports) ??
          attribute(String(argument), 'Ref', template, imports)
        );
      case 'Fn::GetAtt': {
        const [id, key] = list();
        return attribute(String(id), String(key), template, imports);
      }
      case 'Fn::ImportValue':
        return imports.get(String(inner(argument)))?.();
      case 'Fn::GetAZs':
        return ['a', 'b', 'c'].map((zone) => `${region}${zone}`);
      case 'Fn::Join': {
        const [separator, parts] = list();
        return v.parse(v.array(v.unknown()), parts).join(String(separator));
      }
      case 'Fn::Sub':
        return String(argument).replace(/\$\{([^}]+)\}/g, (_all, id: string) => String(inner({ Ref: id })));
      case 'Fn::Split': {
        const [separator, text] = list();
        return String(text).split(String(separator));
      }
      case 'Fn::Select': {
        const [index, items] = list();
        return v.parse(v.array(v.unknown()), items)[Number(index)];
      }
      default:
        break;
    }
    if (name?.startsWith('Fn::')) throw new Error(`${import.meta.filename} does not support the function ${name}.`);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
};

const parameter = (id: string, { Parameters }: Template, imports: Imports): unknown => {
  const found = Parameters[id];
  if (found?.Type === 'AWS::SSM::Parameter::Value<String>') return imports.get(found.Default ?? '')?.();
  return found && (found.Default ?? 'http://localhost:8080/ghost/api');
};

const attribute = (id: string, key: string, template: Template, imports: Imports): unknown => {
  const resource = template.Resources[id];
  if (!resource) throw new Error(`The template has no resource ${id}.`);
  const property = (name: string) => String(resolve(resource.Properties[name], template, imports));
  switch (`${resource.Type} ${key}`) {
    case 'AWS::DynamoDB::Table Ref':
      return property('TableName');
    case 'AWS::DynamoDB::Table Arn':
      return arn('dynamodb', `table/${property('TableName')}`);
    case 'AWS::SQS::Queue Ref':
      return queueUrl(property('QueueName'));
    case 'AWS::SQS::Queue Arn':
      return arn('sqs', property('QueueName'));
    case 'AWS::Lambda::Function Ref':
      return property('FunctionName');
    case 'AWS::Lambda::Function Arn':
      return arn('lambda', `function:${property('FunctionName')}`);
    case 'AWS::Lambda::Alias Ref':
      return `${arn('lambda', `function:${property('FunctionName')}`)}:${property('Name')}`;
    default:
      return key === 'Ref' ? id : `${id}.${key}`;
  }
};
