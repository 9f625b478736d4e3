/** Runs an import from a site to a running stack in this process, where it can be stopped at any request and any write of its record. */
import { checkRelay } from '../../infra/ops/ghost/check.ts';
import { ghostSite } from '../../infra/ops/ghost/ghost-site.ts';
import { applyImport, showImport, undoImport } from '../../infra/ops/ghost/import.ts';
import { openRecord, siteUrlOf } from '../../infra/ops/ghost/record.ts';
import { stageApi } from '../../infra/ops/ghost/stage.ts';
import type { FakeGhostSite } from './ghost-site.ts';
import type { RunningStack } from './parts-running-stack.ts';

type Action = 'show' | 'apply' | 'switch' | 'undo' | 'check';

export interface Run {
  readonly output: string;
  /** What it threw; undefined if it succeeded. */
  readonly error: Error | undefined;
  /** The requests and writes of the record that it made, in order. */
  readonly points: readonly string[];
}

class Killed extends Error {}

interface Options {
  readonly included?: readonly string[];
  /** The position of the request or write after which nothing more happens. */
  readonly killAt?: number;
}

/** Returns how to run an import. `MASTHEAD_HOME` must name a folder of the test. */
export const importer = (site: Pick<FakeGhostSite, 'url' | 'token'>, { stack }: Pick<RunningStack, 'stack'>) => {
  const original = globalThis.fetch;
  return async (action: Action, { included = [], killAt }: Options = {}): Promise<Run> => {
    const points: string[] = [];
    const lines: string[] = [];
    const dead = () => killAt !== undefined && points.length >= killAt;
    const point = (what: string): void => {
      points.push(what);
      if (dead()) throw new Killed(`killed after ${points.length}: ${what}`);
    };
    const hooked: typeof fetch = async (input, init) => {
      const path = String(input)
        .replace(/^.*\/ghost\/api/, '')
        .replaceAll(/[0-9a-f]{24}/g, '<id>')
        .replace(/\?.*/, '');
      const where = String(input).startsWith(site.url) ? 'Ghost' : 'here';
      if (dead()) throw new Killed();
      const answer = await original(input, init);
      const body = await answer.arrayBuffer();
      point(`${where} ${init?.method ?? 'GET'} ${path}`);
      return new Response(answer.status === 204 ? null : body, answer);
    };
    globalThis.fetch = hooked;
    try {
      const from = siteUrlOf(site.url);
      const api = ghostSite(from, site.token);
      const file = openRecord(from, stack.baseUrl, (await api.identify()).uuid);
      const work = {
        site: api,
        stage: stageApi({ baseUrl: stack.baseUrl, key: stack.adminKey }),
        file: {
          ...file,
          save: () => {
            if (dead()) throw new Killed();
            file.save();
            point('record');
          },
          remove: () => {
            if (dead()) throw new Killed();
            file.remove();
            point('record removed');
          },
        },
        included,
        print: (line: string) => void lines.push(line),
        ask: async () => false,
        // A second of an import passes in ten milliseconds.
        wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / 25)),
      };
      if (action === 'show') await showImport(work, true);
      else if (action === 'undo') await undoImport(work);
      else if (action === 'check') {
        if (!(await checkRelay(work))) throw new Error('The check found something.');
      } else await applyImport(work, action === 'switch');
      return { output: lines.join('\n'), error: undefined, points };
    } catch (error) {
      return { output: lines.join('\n'), error: error as Error, points };
    } finally {
      globalThis.fetch = original;
    }
  };
};
