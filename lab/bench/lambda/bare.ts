/** Builds the handler that a function's cold start is compared with: it only makes the same clients and the same calls. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '../../../infra/cdk/bundle.ts';
import { root } from '../../../infra/cdk/cache.ts';
import type { ObservedCall } from '../../../infra/local/invoke/workbench.ts';
import { type Access, type ContractLine, contract, type FunctionName } from '../../../shared/contract.ts';
import { type BareCall, repeatable } from './repeatable.ts';

const lines: readonly ContractLine[] = contract;

/** Returns the calls that the bare handler repeats: those to the table and the queues, with unconditional writes. */
export const bareCalls = (calls: readonly ObservedCall[]): BareCall[] =>
  calls.flatMap(({ call: { service, action, body } }) =>
    service === 'ses' ? [] : [repeatable({ service, action, input: JSON.parse(body.toString()) })],
  );

const clientOf = { dynamodb: 'DynamoDBClient', sqs: 'SQSClient', ses: 'SESClient' } as const;

/** Returns the services whose clients a function makes, according to the contract. */
export const servicesOf = (name: string): readonly (keyof typeof clientOf)[] => {
  const access: Access = lines.find((line) => line.function === name)?.access ?? {};
  return [
    ...(access.table || access.due ? (['dynamodb'] as const) : []),
    ...(access.send || access.measure ? (['sqs'] as const) : []),
    ...(access.mail ? (['ses'] as const) : []),
  ];
};

/** Returns the handler's source: the clients that the contract grants, with the product's settings. */
const sourceOf = (name: string, actions: Readonly<Record<'dynamodb' | 'sqs', readonly string[]>>): string => {
  const services = servicesOf(name);
  const commandsOf = (service: (typeof services)[number]) =>
    service === 'ses' ? [] : actions[service].map((action) => `${action}Command`);
  const imports = services.map(
    (service) =>
      `import { ${[clientOf[service], ...commandsOf(service)].join(', ')} } from '@aws-sdk/client-${service}';`,
  );
  const clients = services.map((service) => `${service}: new ${clientOf[service]}(clientSettings)`);
  const commands = services.flatMap(commandsOf);
  return `${imports.join('\n')}
${services.length > 0 ? "import { clientSettings } from './shared/aws/client-settings.ts';" : ''}
${services.includes('dynamodb') ? "import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';" : ''}
const clients = { ${clients.join(', ')} };
${services.includes('dynamodb') ? 'const documents = DynamoDBDocumentClient.from(clients.dynamodb);' : ''}
const commands = { ${commands.join(', ')} };
export const handler = async ({ calls }) => {
  for (const { service, action, input } of calls) await clients[service].send(new commands[action + 'Command'](input));
  return { statusCode: 200, body: ''${services.includes('dynamodb') ? ', documents: typeof documents' : ''} };
};
`;
};

export interface BareBundle {
  /** The URL of the bundled module. */
  readonly file: string;
  remove(): void;
}

/** Bundles the bare handler with the same options as the functions. */
export const bundleBare = async (name: FunctionName, calls: readonly BareCall[]): Promise<BareBundle> => {
  const of = (service: BareCall['service']) => [
    ...new Set(calls.filter((call) => call.service === service).map(({ action }) => action)),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bare-'));
  const { entryPoints: _, outExtension: _extension, ...options } = bundleOptions(root, []);
  const outfile = join(folder, 'index.mjs');
  await build({
    ...options,
    sourcemap: false,
    stdin: { contents: sourceOf(name, { dynamodb: of('dynamodb'), sqs: of('sqs') }), resolveDir: root, loader: 'ts' },
    outfile,
  });
  return { file: pathToFileURL(outfile).href, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
