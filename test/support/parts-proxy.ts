/**
 * The proxy for tests: AWS calls of a handler in this process pass the same proxy as on the local stack, under
 * the name of their function, so that every test also tests the function's IAM policy.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { type Counter, startCounting } from '../../infra/emulator/proxy/count.ts';
import { type Faults, makeFaults } from '../../infra/emulator/proxy/faults.ts';
import { forwardTo } from '../../infra/emulator/proxy/forward.ts';
import { checkPolicies } from '../../infra/emulator/proxy/policy.ts';
import { startProxy } from '../../infra/emulator/proxy/proxy.ts';
import { exceptFor } from '../../infra/emulator/proxy/session.ts';
import type { Policies } from '../../infra/emulator/proxy/statements.ts';
import { memoryOf } from './function-memory.ts';

const domainOf = (address: string): string => {
  return address.split('@').at(-1) ?? '';
};

interface TestProxyOptions {
  /** The stage of the test file; the policies are those of the stage `local`, with this name inserted. */
  readonly stage: string;
  readonly sender: string;
}

export interface TestProxy {
  readonly url: string;
  /** The injected faults (lab/reports/faults.md). Default: none. */
  readonly faults: Faults;
  readonly counter: Counter;
  /**
   * Runs a handler as its function: its calls are checked against the function's policy.
   * @throws Error with function and action if the policy denied a call, even if the handler caught the error
   * @throws InvocationKilled if a fault killed it: its pending calls never settle
   */
  run<T>(functionName: string, handle: () => Promise<T>): Promise<T>;
}

/** An injected fault ended an invocation. */
export class InvocationKilled extends Error {
  override readonly name = 'InvocationKilled';
}

/** Signs the calls of the test itself. */
export const ownAccessKey = 'test';

interface Invocation {
  readonly accessKey: string;
  readonly id: string;
}

const running = new AsyncLocalStorage<Invocation>();

// Clients keep the credentials with which their module was loaded, so each request gets the name when it is sent.
subscribe('http.client.request.created', (message) => {
  const invocation = running.getStore();
  if (invocation === undefined) return;
  const { request } = message as { request: ClientRequest };
  const authorization = request.getHeader('authorization');
  if (typeof authorization !== 'string' || !authorization.startsWith('AWS4-HMAC-SHA256')) return;
  request.setHeader('authorization', authorization.replace(/Credential=[^/]+/, `Credential=${invocation.accessKey}`));
  request.setHeader('x-amz-security-token', invocation.id);
});

/** Calls `act` before each request of a function to AWS, retries included, until the returned function is called. */
export const beforeEachCall = (act: () => void): (() => void) => {
  // The proxy's own requests, to the parts, are outside of invocations.
  const listener = () => {
    if (running.getStore() !== undefined) act();
  };
  subscribe('http.client.request.created', listener);
  return () => {
    unsubscribe('http.client.request.created', listener);
  };
};

/** Starts the proxy of a test file; it ends with the file, and records the used grants. */
export const startTestProxy = async ({ stage, sender }: TestProxyOptions): Promise<TestProxy> => {
  const parts = inject('parts');
  const template = inject('template');
  const { policies, partitionKeys, names: localNames, sender: localSender, usageFolder, failure } = template;
  if (failure !== undefined) throw new Error(`the template of the stage local could not be made: ${failure}`);
  const ofStage = <T>(data: T): T =>
    JSON.parse(
      JSON.stringify(data)
        .replaceAll('masthead-local', `masthead-${stage}`)
        .replaceAll(localSender, sender)
        .replaceAll(`identity/${domainOf(localSender)}"`, `identity/${domainOf(sender)}"`),
    );
  const refusals: string[] = [];
  const names = ofStage(localNames);
  const policy = checkPolicies(ofStage<Policies>(policies), {
    partitionKeys: ofStage(partitionKeys),
    names,
    transactions: template.transactions,
    onRefusal: (message) => refusals.push(`${message}: its line in shared/contract.ts does not grant it`),
  });
  const [dynamodb, sqs, ses] = [forwardTo(parts.dynamodb), forwardTo(parts.sqs), forwardTo(parts.ses)];
  const faults = makeFaults(names);
  const counter = startCounting(names);
  const proxy = await startProxy(
    { dynamodb: dynamodb.forward, sqs: sqs.forward, ses: ses.forward },
    [counter.step, policy.step, faults.step].map((step) => exceptFor(ownAccessKey, step)),
  );
  const throwRefusals = () => {
    if (refusals.length > 0) throw new Error([...new Set(refusals.splice(0))].join('\n'));
  };
  afterAll(async () => {
    const used = [...policy.used()].map((use) => use.replace(`masthead-${stage}`, 'masthead-local'));
    writeFileSync(join(usageFolder, `${stage}.json`), JSON.stringify(used));
    await Promise.all([proxy.stop(), dynamodb.close(), sqs.close(), ses.close()]);
    throwRefusals();
  });
  return {
    url: proxy.origin,
    faults,
    counter,
    async run(functionName, handle) {
      const accessKey = `masthead-${stage}-${functionName.replaceAll('/', '-')}`;
      const id = randomUUID();
      const killed = Promise.withResolvers<never>();
      faults.begins(accessKey, id, () => killed.reject(new InvocationKilled(`${functionName} was killed`)));
      const began = performance.now();
      let ok = false;
      try {
        const result = await Promise.race([running.run({ accessKey, id }, handle), killed.promise]);
        ok = true;
        return result;
      } finally {
        faults.ends(id);
        counter.invoked(accessKey, { ms: performance.now() - began, ok }, memoryOf(functionName));
        throwRefusals();
      }
    },
  };
};
