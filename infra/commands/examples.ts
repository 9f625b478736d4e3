/** A command for each endpoint that works when it is pasted into a shell, in any folder and by itself. */
import { join } from 'node:path';
import { type ContractLine, contract, type EndpointLine, type FunctionName } from '../../shared/contract.ts';
import type { StackFile } from './home.ts';

interface Example {
  /** Whose key signs; the Owner's where nothing is said. */
  readonly as?: 'integration';
  readonly query?: string;
  /** Single quotes end and begin again around what the shell is to fill in. */
  readonly json?: string;
  readonly form?: string;
  /** Values of parameters in the path that name no item of the table. */
  readonly path?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');

/** One command for each endpoint of the contract. What has no body and no query needs no line below. */
export const examples = (stack: StackFile): string[] => {
  const known: Partial<Record<FunctionName, Example>> = {
    'invites/create': { json: `{"invites":[{"email":"'$RANDOM'@example.com","role_id":"'${id('role')}'"}]}` },
    'webhooks/create': {
      as: 'integration',
      json: `{"webhooks":[{"event":"post.published","target_url":"${stack.receiver}/'$RANDOM'"}]}`,
    },
    'webhooks/update': { as: 'integration', json: '{"webhooks":[{"api_version":"v5.0"}]}' },
    'webhooks/delete': { as: 'integration' },
    'events/publish': {
      as: 'integration',
      json: '{"events":[{"event":"post.published","payload":{"post":{"current":{"title":"Hello"},"previous":{}}}}]}',
    },
    'replays/create': { json: '{"replays":[{"since":"2026-01-01","until":"2100-01-01"}]}' },
    'integrations/create': { json: '{"integrations":[{"name":"Site rebuild"}]}' },
    'integrations/update': { json: '{"integrations":[{"description":"Builds the site anew"}]}' },
    'invites/status': { query: '?email=ada@example.com' },
    'invites/accept': {
      json: `{"invitation":[{"token":"'${id('token')}'","name":"Ada Lovelace","password":"correct horse battery"}]}`,
    },
    'invites/accept-page': { form: 'name=Ada Lovelace' },
    'openapi/asset': { path: { file: 'licences.txt' } },
  };
  return (contract as readonly ContractLine[]).flatMap((line) =>
    line.kind === 'endpoint' ? [command(line, known[line.function as FunctionName] ?? {}, stack)] : [],
  );
};

const command = ({ method, path, callers }: EndpointLine, example: Example, stack: StackFile): string => {
  const { as, query = '', json, form, path: values = {} } = example;
  const hasBody = json !== undefined || form !== undefined;
  return [
    'curl -sS',
    ...(method === 'GET' || (method === 'POST' && hasBody) ? [] : [`-X ${method}`]),
    ...(method === 'DELETE' ? [`-w '%{http_code}\\n'`] : []),
    `"${stack.baseUrl}${filled(path, values)}${query}"`,
    ...(callers.includes('anyone') ? [] : [`-H "Authorization: Ghost $(${script('token', as)})"`]),
    ...(json === undefined ? [] : [`-H 'Content-Type: application/json' -d '${json}'`]),
    ...(form === undefined ? [] : [`-d '${form}'`]),
  ].join(' ');
};

/** `/webhooks/{id}/` takes the id of a webhook, `{key_id}` that of a key. */
const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/(\w+)s\/\{id\}|\{(\w+?)(?:_id)?\}/g, (_all, noun?: string, name = '') =>
    noun === undefined ? (values[name] ?? id(name)) : `${noun}s/${id(noun)}`,
  );

const id = (kind: string): string => `$(${script('id', kind)})`;

/** Works in any folder, and for a stack with a home of its own. */
const script = (name: string, argument: string | undefined): string => {
  const home = process.env.MASTHEAD_HOME;
  const words = [
    ...(home === undefined || home === '' ? [] : [`MASTHEAD_HOME='${home}'`]),
    `npm run -s ${name} --prefix '${root}'`,
    ...(argument === undefined ? [] : [`-- ${argument}`]),
  ];
  return words.join(' ');
};
