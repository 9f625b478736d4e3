/** npm refuses to install a package with an install script that package.json does not allow, before any script runs. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { scriptPolicy } from '../supply-chain/packages.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'masthead-scripts-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const npm = (...args: string[]) => spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });

/** An npm that does not know the setting runs every script. */
const isKnown = npm('config', 'get', 'strict-allow-scripts').stdout.trim() !== 'undefined';

it.runIf(isKnown)('npm refuses a package with an install script that package.json does not name', () => {
  const ran = join(folder, 'ran');
  const stranger = { name: 'stranger', version: '1.0.0', scripts: { postinstall: `touch ${ran}` } };
  mkdirSync(join(folder, 'stranger'));
  writeFileSync(join(folder, 'stranger/package.json'), JSON.stringify(stranger));
  expect(npm('pack', './stranger').status).toBe(0);
  const project = { name: 'project', version: '1.0.0', dependencies: { stranger: 'file:stranger-1.0.0.tgz' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...project, allowScripts: scriptPolicy() }));
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));

  const refused = npm('install', '--offline');
  expect(refused.stderr).toContain('ESTRICTALLOWSCRIPTS');
  expect([refused.status, existsSync(ran)]).toEqual([1, false]);

  // The setting in .npmrc makes npm refuse. Without it, npm warns and runs the script.
  expect(npm('install', '--offline', '--strict-allow-scripts=false').status).toBe(0);
  expect(existsSync(ran)).toBe(true);
});
