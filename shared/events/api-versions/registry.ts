/** The versions of webhook payloads, newest first, each with the step that converts the next newer one to it. */
import { currentApiVersion } from '../../foundation/api-version.ts';
import type { Body } from './body.ts';
import { toV2 } from './v2.ts';
import { toV3 } from './v3.ts';
import { toV4 } from './v4.ts';
import { toV5 } from './v5.ts';

interface Version {
  readonly contentVersion: string;
  readonly step: (newer: Body) => Body;
}

/** All versions before the current one. A new one needs a file with the step down from it, and a line at the top. */
const olderVersions: readonly Version[] = [
  { contentVersion: 'v5.0', step: toV5 },
  { contentVersion: 'v4.0', step: toV4 },
  { contentVersion: 'v3.0', step: toV3 },
  { contentVersion: 'v2.0', step: toV2 },
];

const majorOf = (version: string): number | undefined => {
  const [, major] = /^v(\d+)(?:\.\d+)?$/.exec(version) ?? [];
  return major === undefined ? undefined : Number(major);
};

const newestMajor = majorOf(currentApiVersion) ?? Number.POSITIVE_INFINITY;

/** Returns the version for an `api_version`, by its major: `canary` and later ones are current, old ones the oldest. */
export const versionFor = (
  apiVersion: string,
): { readonly contentVersion: string; readonly steps: readonly Version['step'][] } => {
  const major = majorOf(apiVersion) ?? newestMajor;
  const count = Math.min(Math.max(0, newestMajor - major), olderVersions.length);
  const path = olderVersions.slice(0, count);
  return {
    contentVersion: path.at(-1)?.contentVersion ?? currentApiVersion,
    steps: path.map((version) => version.step),
  };
};
