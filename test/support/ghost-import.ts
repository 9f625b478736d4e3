/** Runs an import from a site to a running stack in this process, where it can be stopped at any request. */
import { ghostSite } from '../../infra/ops/ghost/ghost-site.ts';
import { applyImport, checkImport, showImport, undoImport } from '../../infra/ops/ghost/import.ts';
import { openRecord, siteUrlOf } from '../../infra/ops/ghost/record.ts';
import { stageApi } from '../../infra/ops/ghost/stage.ts';
import type { FakeGhostSite } from './ghost-site.ts';
import type { RunningStack } from './parts-running-stack.ts';

type Action = 'show' | 'apply' | 'switch' | 'undo' | 'check';

export interface Run {
  readonly output: string;
  /** What it threw; undefined if it succeeded. */
  readonly error: Error | undefined;
  readonly points: readonly string[];
}

class Killed extends Error {}

interface Options {
  readonly included?: readonly string[];
  /** Whether nothing more happens after these requests. */
  readonly isKilled?: (points: readonly string[]) => boolean;
  readonly agrees?: boolean;
  readonly url?: string;
  readonly baseUrl?: string;
}

/** Deletes what moves have left at a stage, which has one record. */
export const cleanStage = async (
  site: Pick<FakeGhostSite, 'uuid'>,
  { stack, call }: Pick<RunningStack, 'stack' | 'call'>,
) => {
  const key = stack.adminKey;
  await call('DELETE', `/admin/moves/${site.uuid}/`, { key });
  const { body } = await call('GET', '/admin/integrations/?limit=100', { key });
  for (const { id, description } of body.integrations as { id: string; description: string | null }[])
    if (/^(?:Imported from|Receives the events of) /.test(description ?? ''))
      await call('DELETE', `/admin/integrations/${id}/`, { key });
};

/** Returns how to run an import. `MASTHEAD_HOME` must name a folder of the test. */
export const importer = (site: Pick<FakeGhostSite, 'url' | 'token'>, { stack }: Pick<RunningStack, 'stack'>) => {
  const original = globalThis.fetch;
  return async (
    action: Action,
    { included = [], isKilled = () => false, agrees = false, url = site.url, baseUrl = stack.baseUrl }: Options = {},
  ): Promise<Run> => {
    const points: string[] = [];
    const lines: string[] = [];
    const point = (what: string): void => {
      points.push(what);
      if (isKilled(points)) throw new Killed(`killed after ${points.length}: ${what}`);
    };
    const hooked: typeof fetch = async (input, init) => {
      const path = String(input)
        .replace(/^.*\/ghost\/api/, '')
        .replaceAll(/[0-9a-f-]{36}/g, '<site>')
        .replaceAll(/[0-9a-f]{24}/g, '<id>')
        .replace(/\?.*/, '');
      const where = String(input).startsWith(site.url) ? 'Ghost' : 'here';
      if (isKilled(points)) throw new Killed();
      const answer = await original(input, init);
      const body = await answer.arrayBuffer();
      point(`${where} ${init?.method ?? 'GET'} ${path}`);
      return new Response(answer.status === 204 ? null : body, answer);
    };
    globalThis.fetch = hooked;
    try {
      const from = siteUrlOf(url);
      const api = ghostSite(from, site.token);
      const stageOf = stageApi({ baseUrl, key: stack.adminKey });
      const work = {
        site: api,
        stage: stageOf,
        record: await openRecord(from, await api.identify(), stageOf),
        inbound: {},
        included,
        print: (line: string) => void lines.push(line),
        ask: async () => agrees,
        // A second of an import passes in ten milliseconds.
        wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / 25)),
      };
      const actions = {
        show: () => showImport(work, true),
        undo: () => undoImport(work),
        check: () => checkImport(work),
        apply: () => applyImport(work, false),
        switch: () => applyImport(work, true),
      };
      if (!(await actions[action]())) throw new Error('The command found something.');
      return { output: lines.join('\n'), error: undefined, points };
    } catch (error) {
      return { output: lines.join('\n'), error: error as Error, points };
    } finally {
      globalThis.fetch = original;
    }
  };
};
