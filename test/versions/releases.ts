/** One table and the same queues for two releases: each step of a test runs on the functions of the release that it names. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFunctions } from '../../infra/cdk/bundle.ts';
import { type FreshStack, freshStack } from '../support/parts.ts';
import type { Handler, LoadHandler } from '../support/parts-invoke.ts';
import { bundlePreviousRelease } from './previous-release.ts';

export type Release = 'previous' | 'current';

export interface TwoReleases {
  readonly stack: FreshStack;
  /** What is invoked from now on runs on this release. */
  on(release: Release): void;
}

/** Makes the table and the queues; call it once a file. Each function of a release has one environment, which keeps its caches. */
export const twoReleases = async (): Promise<TwoReleases> => {
  const [previous, current] = await Promise.all([bundlePreviousRelease(), bundleFunctions()]);
  const folders: Readonly<Record<Release, (name: string) => string>> = {
    previous: (name) => join(previous, name),
    current: current.folderOf,
  };
  const handlers = new Map<string, Promise<Handler>>();
  let running: Release = 'previous';
  const load: LoadHandler = (name) => {
    const key = `${running} ${name}`;
    const found = handlers.get(key);
    if (found !== undefined) return found;
    const file = pathToFileURL(join(folders[running](name), 'index.mjs'));
    const handler = import(/* @vite-ignore */ `${file}?${randomUUID()}`).then((module): Handler => module.handler);
    handlers.set(key, handler);
    return handler;
  };
  return {
    stack: await freshStack({ ownEvents: ['shop.order.paid'] }, load),
    on(release) {
      running = release;
    },
  };
};
