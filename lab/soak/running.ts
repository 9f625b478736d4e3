/** The stack of a soak: started, killed and started again in one home, with a clock that can be set. */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import type { FaultPlanInput } from '../../infra/emulator/proxy/fault-plan.ts';
import { type RunningStack, runStack } from '../../test/support/parts-running-stack.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read as the API documents it
  readonly body: any;
}

export interface SoakedStack {
  start(plan: FaultPlanInput): Promise<RunningStack>;
  /** Ends the whole process group of a life without a word. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
  /** Moves its clock by a number of seconds. */
  jump(seconds: number): void;
  now(): number;
  /** The running stack; waits for the next start while there is none. */
  running(): Promise<RunningStack>;
  /** Calls the API with a fresh token. Returns undefined if no answer came. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer | undefined>;
  /** Delivers an event as a Ghost site does, signed with an inbound secret. Returns undefined if no answer came. */
  relay(path: string, secret: string, payload: object): Promise<Answer | undefined>;
  /** How often each kind of fault was injected, over all lives. */
  faults(): Readonly<Record<string, number>>;
}

const struckSchema = v.array(v.object({ fault: v.looseObject({ fault: v.string() }), times: v.number() }));

const send = async (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Answer | undefined> => {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(40_000),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
};

export const soakedStack = (folder: string): SoakedStack => {
  const clockFile = join(folder, 'soak-clock');
  let offset = 0;
  let current: RunningStack | undefined;
  const total: Record<string, number> = {};
  /** Counted in the present life, as last seen: a killed process cannot be asked. */
  let seen: Record<string, number> = {};
  writeFileSync(clockFile, '0');
  const look = async (stack: RunningStack) => {
    const struck = v.parse(struckSchema, await (await fetch(`${stack.stack.proxy}/faults`)).json());
    const counted: Record<string, number> = {};
    for (const { fault, times } of struck) counted[fault.fault] = (counted[fault.fault] ?? 0) + times;
    if (current === stack) seen = counted;
  };
  const endLife = () => {
    current = undefined;
    for (const [name, times] of Object.entries(seen)) total[name] = (total[name] ?? 0) + times;
    seen = {};
  };
  const watch = setInterval(() => {
    if (current !== undefined) void look(current).catch(() => {});
  }, 1000);
  watch.unref();
  const self: SoakedStack = {
    async start(plan) {
      const planFile = join(folder, 'soak-faults.json');
      writeFileSync(planFile, JSON.stringify(plan));
      const preload = `--import=${new URL('clock.ts', import.meta.url)}`;
      const begin = () =>
        runStack(folder, ['--quiet', '--faults', planFile], {
          SOAK_CLOCK: clockFile,
          NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${preload} --disable-warning=ExperimentalWarning`,
        });
      // Faults and a slow machine can end a start, too; what runs a stack starts it again.
      current = await begin().catch(begin).catch(begin);
      return current;
    },
    async kill() {
      const killed = current;
      endLife();
      await killed?.end('SIGKILL');
    },
    async stop() {
      const stopped = current;
      if (stopped !== undefined) await look(stopped);
      endLife();
      await stopped?.end('SIGTERM');
    },
    jump(seconds) {
      offset += seconds * 1000;
      writeFileSync(clockFile, String(offset));
      if (current !== undefined) process.kill(current.pid, 'SIGUSR2');
    },
    now: () => Date.now() + offset,
    async running() {
      while (current === undefined) await wait(50);
      return current;
    },
    async call(method, path, body, key) {
      const { stack } = await self.running();
      const iat = Math.floor(self.now() / 1000);
      const token = adminToken(key ?? stack.adminKey, { iat, exp: iat + 300 });
      const json = body === undefined ? undefined : JSON.stringify(body);
      return send(`${stack.baseUrl}${path}`, method, { Authorization: `Ghost ${token}` }, json);
    },
    async relay(path, secret, payload) {
      const { stack } = await self.running();
      const body = JSON.stringify(payload);
      const at = self.now();
      const hash = createHmac('sha256', secret).update(`${body}${at}`).digest('hex');
      return send(`${stack.baseUrl}${path}`, 'POST', { 'X-Ghost-Signature': `sha256=${hash}, t=${at}` }, body);
    },
    faults: () => {
      const all = { ...total };
      for (const [name, times] of Object.entries(seen)) all[name] = (all[name] ?? 0) + times;
      return all;
    },
  };
  return self;
};
