/** Reads CloudFormation templates and resolves parameters, references and functions as CloudFormation does. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import * as v from 'valibot';
import { accountId, region } from './account.ts';
import { attributeOf, type Environment } from './resource-attributes.ts';

const templateSchema = v.object({
  Parameters: v.optional(v.record(v.string(), v.object({ Default: v.optional(v.string()) })), {}),
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Condition: v.optional(v.undefined(), undefined),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
      Metadata: v.optional(v.record(v.string(), v.unknown()), {}),
    }),
  ),
  Outputs: v.optional(
    v.record(v.string(), v.object({ Value: v.unknown(), Export: v.optional(v.object({ Name: v.unknown() })) })),
    {},
  ),
});

type Template = v.InferOutput<typeof templateSchema>;

export interface Resource {
  readonly id: string;
  readonly type: string;
  /** Resolved on access, so that properties which the emulator ignores need not be resolvable. */
  readonly properties: unknown;
  readonly assetFolder: string | undefined;
}

export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

const noValue = Symbol('AWS::NoValue');

/** Returns all resources of a cloud assembly. Reading unsupported `properties` throws a TemplateError. */
export const readResources = (folder: string, environment: Environment): readonly Resource[] => {
  const templates = readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => v.parse(templateSchema, JSON.parse(readFileSync(join(folder, file), 'utf8'))));
  const exports = new Map<unknown, unknown>();
  const exported = (name: unknown): unknown => {
    if (!exports.has(name)) exports.set(name, findExported(name));
    return exports.get(name);
  };
  const findExported = (name: unknown): unknown => {
    for (const template of templates)
      for (const output of Object.values(template.Outputs))
        if (output.Export !== undefined && resolve(output.Export.Name, template) === name)
          return resolve(output.Value, template);
    throw new TemplateError(`no stack exports ${JSON.stringify(name)}`);
  };
  const resolve = resolver(environment, exported);
  return templates.flatMap((template) =>
    Object.entries(template.Resources).map(([id, resource]) => {
      const asset = resource.Metadata['aws:asset:path'];
      let resolved: { readonly properties: unknown } | undefined;
      return {
        id,
        type: resource.Type,
        get properties() {
          resolved ??= { properties: resolve(resource.Properties, template) };
          return resolved.properties;
        },
        assetFolder: typeof asset === 'string' ? resolvePath(folder, asset) : undefined,
      };
    }),
  );
};

const resolver = (environment: Environment, exported: (name: unknown) => unknown) => {
  const text = (value: unknown, template: Template): string => {
    const resolved = resolve(value, template);
    if (typeof resolved === 'string' || typeof resolved === 'number') return String(resolved);
    throw new TemplateError(`${JSON.stringify(value)} is not text`);
  };
  const list = (value: unknown, template: Template): readonly unknown[] => {
    const resolved = resolve(value, template);
    if (Array.isArray(resolved)) return resolved;
    throw new TemplateError(`${JSON.stringify(value)} is not a list`);
  };
  const reference = (name: string, template: Template): unknown => {
    const pseudo: Record<string, unknown> = {
      'AWS::AccountId': accountId,
      'AWS::NoValue': noValue,
      'AWS::Partition': 'aws',
      'AWS::Region': region,
      'AWS::URLSuffix': 'amazonaws.com',
    };
    if (Object.hasOwn(pseudo, name)) return pseudo[name];
    if (Object.hasOwn(template.Parameters, name)) {
      const value = environment.parameters[name] ?? template.Parameters[name]?.Default;
      if (value === undefined) throw new TemplateError(`the parameter ${name} has no value`);
      return value;
    }
    return attribute(name, 'Ref', template);
  };
  const attribute = (id: string, name: string, template: Template): unknown => {
    const resource = template.Resources[id];
    if (resource === undefined) throw new TemplateError(`the resource ${id} does not exist`);
    const property = (key: string) => text(resource.Properties[key] ?? id, template);
    const value = attributeOf({ id, type: resource.Type, property }, name, environment);
    if (value === undefined) throw new TemplateError(`${name} of ${id} (${resource.Type}) is not supported`);
    return value;
  };
  const intrinsics: Record<string, (argument: unknown, template: Template) => unknown> = {
    Ref: (name, template) => reference(text(name, template), template),
    'Fn::GetAtt': (path, template) => {
      const [id, name] = typeof path === 'string' ? path.split('.') : list(path, template);
      return attribute(text(id, template), text(name, template), template);
    },
    'Fn::ImportValue': (name, template) => exported(resolve(name, template)),
    'Fn::Join': (argument, template) => {
      const [separator, parts] = list(argument, template);
      const joined = list(parts, template).join(text(separator, template));
      // The AWS URL of another stack's queue becomes the emulator's, since the SDK sends to the host in the URL.
      const [, queue] = /^https:\/\/sqs\.[^/]+\/\d{12}\/([\w-]+)$/.exec(joined) ?? [];
      return queue === undefined ? joined : environment.queueUrl(queue);
    },
    'Fn::Split': (argument, template) => {
      const [separator, whole] = list(argument, template);
      return text(whole, template).split(text(separator, template));
    },
    'Fn::Select': (argument, template) => {
      const [index, values] = list(argument, template);
      return list(values, template)[Number(index)];
    },
    'Fn::Sub': (argument, template) => {
      const [pattern, variables] = typeof argument === 'string' ? [argument, {}] : list(argument, template);
      const own = v.parse(v.record(v.string(), v.unknown()), variables ?? {});
      return text(pattern, template).replace(/\$\{(!?)([^}]+)\}/g, (_all, literal: string, name: string) => {
        if (literal !== '') return `\${${name}}`;
        if (Object.hasOwn(own, name)) return text(own[name], template);
        const [id = '', ...rest] = name.split('.');
        return text(rest.length === 0 ? reference(id, template) : attribute(id, rest.join('.'), template), template);
      });
    },
  };
  const resolve = (value: unknown, template: Template): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, template)).filter((item) => item !== noValue);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only !== undefined && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
      const intrinsic = intrinsics[only[0]];
      if (intrinsic === undefined) throw new TemplateError(`the function ${only[0]} is not supported`);
      return intrinsic(only[1], template);
    }
    return Object.fromEntries(
      entries.map(([key, item]) => [key, resolve(item, template)]).filter(([, item]) => item !== noValue),
    );
  };
  return resolve;
};
