/** The release of this project or package, and from which deployed stages it can take over (docs/formats.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { format } from '../../shared/foundation/format.ts';
import { root } from './root.ts';

const manifest = v.object({ version: v.string() });

export interface Release {
  /** The version of package.json, such as `0.2.0`. */
  readonly version: string;
  readonly format: number;
  /** The last release of each earlier format, which older stages pass through. */
  readonly lastOf: Readonly<Record<number, string>>;
}

export const release: Release = {
  version: v.parse(manifest, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version,
  format,
  lastOf: {},
};

/** Returns the formats that a release can read and take over. */
export const readBy = (to: Release): number[] => [to.format - 1, to.format, to.format + 1];

/** Returns why a release cannot replace one with another format, and what to deploy before it; undefined if it can. */
export const refusalOf = (deployed: number, to: Release = release): string | undefined => {
  if (readBy(to).includes(deployed)) return undefined;
  const reads =
    `The stage has the format ${deployed}, and release ${to.version} reads the formats ${to.format - 1} to ` +
    `${to.format + 1}.`;
  if (deployed > to.format) return `${reads} Go back one release at a time: CHANGELOG.md lists them.`;
  const next = to.lastOf[deployed + 1];
  return next === undefined
    ? `${reads} No release leads from one to the other: make a new stage (CHANGELOG.md).`
    : `${reads} Deploy release ${next} first.`;
};
