/** Code samples of an operation for curl and Node.js, which run as pasted. */

import { quoted } from '../quoted.ts';

export interface SampleRequest {
  readonly method: string;
  /** With the base URL, path parameters and query filled in. */
  readonly url: string;
  readonly needsKey: boolean;
  readonly body?: { readonly type: string; readonly value: unknown };
}

/** A sample in the format of an operation's `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Returns the samples of a request. */
export const samplesOf = (request: SampleRequest): CodeSample[] => [
  { lang: 'bash', label: 'curl', source: curl(request) },
  { lang: 'javascript', label: 'Node.js', source: node(request) },
];

const curl = ({ method, url, needsKey, body }: SampleRequest): string => {
  const command = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(needsKey ? ['-H "Authorization: Ghost $TOKEN"'] : []),
    ...(body === undefined
      ? []
      : [`-H ${quoted(`Content-Type: ${body.type}`)}`, `--data ${quoted(textOf(body.value))}`]),
  ].join(' \\\n  ');
  return needsKey ? `# TOKEN: see "Keys and tokens".\n${command}` : command;
};

const node = ({ method, url, needsKey, body }: SampleRequest): string => {
  const headers = [
    ...(needsKey ? ['    Authorization,'] : []),
    ...(body === undefined ? [] : [`    'Content-Type': '${body.type}',`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined ? [] : [`  body: ${literal(body.value)},`]),
  ];
  return [
    ...(needsKey ? [signing, ''] : []),
    `const response = await fetch('${url}'${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`});`,
    'console.log(response.status, await response.text());',
  ].join('\n');
};

const signing = `import { createHmac } from 'node:crypto';

// MASTHEAD_KEY is set to an Admin API key, {id}:{secret}.
const [id, secret] = process.env.MASTHEAD_KEY.split(':');
const encoded = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
const now = Math.floor(Date.now() / 1000);
const header = encoded({ alg: 'HS256', typ: 'JWT', kid: id });
const claims = encoded({ iat: now, exp: now + 300, aud: '/admin/' });
const signer = createHmac('sha256', Buffer.from(secret, 'hex'));
const signature = signer.update(\`\${header}.\${claims}\`).digest('base64url');
const Authorization = \`Ghost \${header}.\${claims}.\${signature}\`;`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : `JSON.stringify(${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')})`;
