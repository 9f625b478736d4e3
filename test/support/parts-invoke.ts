/** Loads handlers and runs them under the name of their function. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { bundleFunctions } from '../../infra/cdk/bundle.ts';
import { pageFilesOf } from '../../infra/cdk/pages.ts';
import { contract } from '../../shared/contract.ts';
import { lambdaContext } from './parts-event.ts';
import { loadFunction } from './parts-functions.ts';
import type { TestProxy } from './parts-proxy.ts';

/** Returns the bundle of a function with files beside it; the query makes Node load it again. */
const bundleOf = async (name: string): Promise<string> => {
  const bundles = await bundleFunctions();
  return `${pathToFileURL(join(bundles.folderOf(name), 'index.mjs'))}?${randomUUID()}`;
};

/**
 * The seconds of an invocation: a worker's as on AWS, because it hides its messages as long; an endpoint's as a test's,
 * because a busy machine is no reason for a 503 (`errors.test.ts` is about that).
 */
const secondsFor = (name: string): number => {
  const line = contract.find((candidate) => candidate.function === name);
  return line?.kind === 'endpoint' ? 300 : (line?.timeoutSeconds ?? 10);
};

export type Handler = (event: unknown, context: ReturnType<typeof lambdaContext>) => Promise<unknown>;

export type LoadHandler = (name: string) => Promise<Handler>;

/** Returns a function that invokes any handler. Each has its own modules: caches are not shared, as on AWS. */
export const invoker = (
  run: TestProxy['run'],
  load?: LoadHandler,
): ((name: string, event: unknown) => Promise<unknown>) => {
  const handlers = new Map<string, Promise<Handler>>();
  const loadHandler = async (name: string): Promise<Handler> => {
    const loaded =
      name in pageFilesOf
        ? await import(/* @vite-ignore */ await bundleOf(name))
        : loadFunction(inject('functions'), name);
    return (loaded as { readonly handler: Handler }).handler;
  };
  const handlerOf = (name: string): Promise<Handler> => {
    const handler = handlers.get(name) ?? loadHandler(name);
    handlers.set(name, handler);
    return handler;
  };
  return async (name, event) => {
    const handler = await (load ?? handlerOf)(name);
    return run(name, () => handler(event, lambdaContext(name, secondsFor(name))));
  };
};
