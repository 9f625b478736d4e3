/** The packages of the lockfile: their licences, and which of them have install scripts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const root = join(import.meta.dirname, '../..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

const lockSchema = v.object({
  packages: v.record(
    v.string(),
    v.looseObject({
      version: v.optional(v.string()),
      license: v.optional(v.string()),
      dev: v.optional(v.boolean()),
      hasInstallScript: v.optional(v.boolean()),
    }),
  ),
});

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; `unknown` if the package states none. */
  readonly licence: string;
  /** Whether it can be part of what is deployed. */
  readonly isDeployed: boolean;
  readonly hasInstallScript: boolean;
}

/** Returns the packages of a lockfile, each version once, sorted by name. */
export const lockedPackages = (lockfile = 'package-lock.json'): LockedPackage[] => {
  const { packages } = v.parse(lockSchema, read(lockfile));
  const found = new Map<string, LockedPackage>();
  for (const [path, { version = '', license = 'unknown', dev = false, hasInstallScript = false }] of Object.entries(
    packages,
  )) {
    const name = path.replace(/^.*node_modules\//, '');
    const known = found.get(`${name}@${version}`);
    if (path !== '')
      found.set(`${name}@${version}`, {
        name,
        version,
        licence: license,
        isDeployed: !dev || (known?.isDeployed ?? false),
        hasInstallScript,
      });
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
};

/** Returns which install scripts package.json allows (true) and denies (false), by package name. */
export const scriptPolicy = (): Readonly<Record<string, boolean>> =>
  v.parse(v.object({ allowScripts: v.record(v.string(), v.boolean()) }), read('package.json')).allowScripts;

/** Licences without a duty beyond keeping their text. */
const permissive = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
];

/** Licences of single packages, which no deployment contains, with the reason why they are accepted. */
const accepted: Readonly<Record<string, { readonly licence: string; readonly reason: string }>> = {
  'caniuse-lite': { licence: 'CC-BY-4.0', reason: 'data for build tools; the attribution is in the package' },
};

/** Whether a licence is accepted: one of alternatives suffices; MPL-2.0 binds changes of its files; we make none. */
export const isAccepted = ({ name, licence, isDeployed }: LockedPackage): boolean => {
  const alternatives = licence.replaceAll(/[()]/g, '').split(' OR ');
  if (alternatives.some((one) => permissive.includes(one))) return true;
  if (isDeployed) return false;
  return licence === 'MPL-2.0' || accepted[name]?.licence === licence;
};
