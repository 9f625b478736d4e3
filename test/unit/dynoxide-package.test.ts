/** The local DynamoDB server: the first start installs it if it is missing. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findDynoxide } from '../../infra/emulator/parts/dynoxide-package.ts';

const folder = mkdtempSync(join(tmpdir(), 'masthead-package-'));
beforeEach(() => {
  const manifest = { private: true, optionalDependencies: { '@dynoxide/linux-x64': '1.2.1' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
});
afterEach(() => rmSync(join(folder, 'node_modules'), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (program: string): void => {
  const file = join(folder, 'node_modules', program);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
};

const said: string[] = [];
const find = (platform: string, arch: string, install: (command: string) => Promise<unknown>) => {
  said.length = 0;
  return findDynoxide({ platform, arch, folder, install, say: (line) => said.push(line) });
};

it.each([
  ['darwin', 'arm64', 'dynoxide'],
  ['linux', 'arm64', 'dynoxide'],
  ['win32', 'x64', 'dynoxide.exe'],
])('on %s %s, the version in package.json is installed, and one line reports it', async (platform, arch, program) => {
  const install = vi.fn(async (_command: string) => put(`@dynoxide/${platform}-${arch}/${program}`));
  const found = await find(platform, arch, install);
  expect(found).toBe(join(folder, `node_modules/@dynoxide/${platform}-${arch}/${program}`));
  expect(install.mock.calls).toEqual([[`npm install --no-save @dynoxide/${platform}-${arch}@1.2.1`]]);
  expect(said).toEqual([`Installing @dynoxide/${platform}-${arch}@1.2.1, the DynamoDB part for this platform.`]);
});

it('an installed package is not installed again', async () => {
  put('@dynoxide/darwin-arm64/dynoxide');
  const install = vi.fn(async (_command: string) => {});
  expect(await find('darwin', 'arm64', install)).toContain('darwin-arm64');
  expect([install.mock.calls, said]).toEqual([[], []]);
});

it('a failed installation is reported in one sentence with the reason, a command and an alternative', async () => {
  const stderr = 'npm error code E404\nnpm error 404 Not Found - GET https://npm.example/dynoxide\nnpm error 404\n';
  const failing = async () => Promise.reject(Object.assign(new Error('Command failed'), { stderr }));
  await expect(find('win32', 'arm64', failing)).rejects.toThrow(
    'The DynamoDB part for this platform is not installed (404 Not Found - GET https://npm.example/dynoxide): run ' +
      '`npm install --no-save @dynoxide/win32-arm64@1.2.1` when npm can reach its registry, or set ' +
      'DYNAMODB_ENDPOINT to another DynamoDB, such as http://127.0.0.1:8000.',
  );
});

it('a package that is missing although npm reported success causes the same error sentence', async () => {
  await expect(find('darwin', 'x64', async () => {})).rejects.toThrow(
    /^The DynamoDB part for this platform is not installed \(npm has installed no program\): run `npm install --no-save @dynoxide\/darwin-x64@1\.2\.1` /,
  );
});
