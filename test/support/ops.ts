/** Runs the operator's commands in this process, on the handlers of a fresh stack. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { run } from '../../infra/command-line/command.ts';
import { ops } from '../../infra/ops/program.ts';
import { contract, type FunctionName } from '../../shared/contract.ts';
import type { FreshStack } from './parts.ts';
import { temporaryHome } from './parts-running-stack.ts';

export interface Ran {
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
}

/** Runs `npm run ops -- …args`; `onOutput` is called with the standard output so far. */
export const runOps = async (args: readonly string[], onOutput?: (output: string) => void): Promise<Ran> => {
  const written = { output: '', errors: '' };
  const to = (stream: keyof typeof written, end: string) =>
    ((text: unknown) => {
      written[stream] += `${text}${end}`;
      if (stream === 'output') onOutput?.(written.output);
      return true;
    }) as never;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(to('output', '')),
    vi.spyOn(process.stderr, 'write').mockImplementation(to('errors', '')),
    vi.spyOn(console, 'log').mockImplementation(to('output', '\n')),
    vi.spyOn(console, 'error').mockImplementation(to('errors', '\n')),
  ];
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await run(ops, args);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = before;
  }
};

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`);

/** An answer instead of that of the handler, for a request to a path below the base URL. */
export type Intercept = (method: string, path: string, body: string) => Response | undefined | Promise<undefined>;

/** Answers the commands' requests with a stack's handlers. Call it once a file. Returns ways to run commands. */
export const opsOn = (stack: FreshStack) => {
  const home = temporaryHome();
  afterAll(() => home.remove());
  let intercept: Intercept = () => undefined;
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit & { headers: Record<string, string> }) => {
    if (!url.startsWith(`${stack.baseUrl}/`)) return real(url, init);
    const { method = 'GET', headers, body } = init;
    const path = url.slice(stack.baseUrl.length);
    const instead = await intercept(method, path, String(body ?? ''));
    if (instead !== undefined) return instead;
    const line = contract.find(
      (one) => one.kind === 'endpoint' && one.method === method && patternOf(one.path).test(path.split('?')[0] ?? ''),
    );
    const request = { method, path, headers, ...(body !== undefined && { body: String(body) }) };
    const answer = await stack.call((line?.function ?? 'fallback/answer') as FunctionName, request);
    return new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers: answer.headers });
  });
  return {
    as: (key: string) => (args: readonly string[], onOutput?: (output: string) => void) => {
      vi.stubEnv('MASTHEAD_KEY', key);
      return runOps([...args, '--url', stack.baseUrl], onOutput).finally(() => vi.unstubAllEnvs());
    },
    /** Sets what answers before the handlers; without an argument, nothing does. */
    answerWith: (next: Intercept = () => undefined) => {
      intercept = next;
    },
    file: (name: string, text: string | Buffer) => {
      const path = join(home.folder, name);
      writeFileSync(path, text);
      return path;
    },
  };
};
