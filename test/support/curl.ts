/** Reads the curl commands of a text as a shell does, without sending anything. */
import { execFileSync } from 'node:child_process';
import type { TestRequest } from './parts-event.ts';

/** Returns the request of each command, in order; `environment` holds the variables of the shell. */
export const curlRequests = (
  text: string,
  baseUrl: string,
  environment: Readonly<Record<string, string>>,
): TestRequest[] =>
  [...text.matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([command]) => {
    const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
    return requestOf(execFileSync('sh', ['-c', script], { env: environment, encoding: 'utf8' }).split('\0'), baseUrl);
  });

/** Reads the options that our commands use. @throws Error for a URL that is not below the base URL */
const requestOf = (args: readonly string[], baseUrl: string): TestRequest => {
  const valuesOf = (option: string) => args.filter((_, index) => args[index - 1] === option);
  const url = args.find((arg) => arg.startsWith(`${baseUrl}/`));
  if (url === undefined) throw new Error(`No URL below ${baseUrl}: ${args.join(' ')}`);
  const [body] = valuesOf('-d');
  const [method = body === undefined ? 'GET' : 'POST'] = valuesOf('-X');
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ')));
  return { method, path: url.slice(baseUrl.length), headers, ...(body !== undefined && { body }) };
};
