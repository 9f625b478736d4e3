/** The bundles: a folder per function, with the module that Lambda loads, and readable stack traces in its logs. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { bundleFunctions, placesOfBundles } from '../../infra/cdk/bundle.ts';
import { type Bundles, bundleHash } from '../../infra/cdk/bundles.ts';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { startPool } from '../../infra/emulator/lambda/pool.ts';
import { explainStack } from '../../infra/ops/explain-stack/explain.ts';
import { apiEvent } from '../support/parts-event.ts';
import { lines } from './synthesized.ts';

let bundles: Bundles;
beforeAll(async () => {
  bundles = await bundleFunctions();
});

describe('bundling', () => {
  it('happens once for the same sources', async () => {
    const [line] = lines;
    expect((await bundleFunctions()).folderOf(line?.function ?? '')).toBe(bundles.folderOf(line?.function ?? ''));
  });

  it('writes to the folder in which a local stack expects the bundle', async () => {
    const [places, names] = [placesOfBundles(), lines.map((line) => line.function)];
    expect(places.areComplete).toBe(false);
    expect(names.map(places.folderOf)).toEqual(names.map(bundles.folderOf));
  });

  it('refuses a function that is not in the contract, and names it', () => {
    expect(() => bundles.folderOf('webhooks/explode')).toThrow('webhooks/explode');
  });
});

const filesOfFunctions = (stage: string): readonly string[] => {
  const folder = join(inject('template').folder, stage);
  const templates = readdirSync(folder).filter((name) => name.endsWith('.template.json'));
  const paths = templates.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/"aws:asset:path": ?"([^"]+)"/g)].map(
      ([, path = '']) => path,
    ),
  );
  return [...new Set(paths)].flatMap((path) => readdirSync(join(folder, path)));
};

describe('source maps', () => {
  it.each(['dev', 'prod'])(
    'are not deployed to %s, because Node.js would load one before the first request',
    (stage) => {
      expect(filesOfFunctions(stage)).toEqual(['index.mjs']);
    },
  );

  it('are stored beside the functions of the local stack', () => {
    expect(filesOfFunctions('local')).toEqual(['index.mjs', 'index.mjs.map']);
  });

  it('translate the log of a function that was deployed without its map', async () => {
    // Given a deployed function whose environment lacks the table
    const folder = bundles.folderOf('roles/list');
    const task = mkdtempSync(join(tmpdir(), 'masthead-task-'));
    copyFileSync(join(folder, 'index.mjs'), join(task, 'index.mjs'));
    const environment = {
      BASE_URL: 'https://api.example/ghost/api',
      SETTINGS: JSON.stringify(parseStage('local', stages.local).settings),
      BUNDLE: bundleHash(folder),
    };
    const code = { name: 'roles/list', folder: task, module: 'index.mjs', export: 'handler', description: '' };
    const pool = startPool(
      { ...code, timeoutMs: 20_000, memoryMb: 512, environment },
      { limit: 1, logFile: join(task, 'log'), secret: '', environment: {}, onBegin() {}, onEnd() {} },
    );
    // When it fails
    const key = `${'a'.repeat(24)}:${'b'.repeat(64)}`;
    const event = apiEvent({ path: '/admin/roles/', key }, '/admin/roles/', '/ghost/api');
    expect(await pool.invoke(event)).toMatchObject({ ok: true, result: { statusCode: 500 } });
    await pool.stop();
    const record = readFileSync(join(task, 'log'), 'utf8');
    rmSync(task, { recursive: true });
    // Then its record names the function and the bundle, and with the map the line of the source that threw
    const logged = v.parse(v.looseObject({ bundle: v.string(), function: v.string() }), JSON.parse(record));
    expect(logged).toMatchObject({ bundle: bundleHash(folder), function: 'roles/list' });
    expect(record).toMatch(/index\.mjs:\d+:\d+/);
    const explained = explainStack(record, folder);
    expect(explained).not.toContain('index.mjs');
    const [, file = '', line] = /at \S+ \(([^:]+):(\d+):\d+\)/.exec(explained) ?? [];
    expect(file).toBe('shared/foundation/environment.ts');
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('throw new Error(');
  });
});
