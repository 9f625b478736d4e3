/** The versions of webhook payloads, the newest first, each with the step that makes it of the one before. */
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

/** What is older than the current version. A new current version is a file with the step down from it, and one line at the top. */
const olderVersions: readonly Version[] = [
  { contentVersion: 'v5.0', step: toV5 },
  { contentVersion: 'v4.0', step: toV4 },
  { contentVersion: 'v3.0', step: toV3 },
  { contentVersion: 'v2.0', step: toV2 },
];

const newestMajor = majorOf(currentApiVersion) ?? Number.POSITIVE_INFINITY;

/**
 * The version that serves an `api_version`, and the steps to it from the current shape, in order.
 * A major decides, whatever the minor; `canary`, nothing and majors to come are the current version, majors before the oldest are the oldest.
 */
export function versionFor(apiVersion: string | null): {
  readonly contentVersion: string;
  readonly steps: readonly Version['step'][];
} {
  const major = majorOf(apiVersion ?? '') ?? newestMajor;
  const count = Math.min(Math.max(0, newestMajor - major), olderVersions.length);
  const path = olderVersions.slice(0, count);
  return {
    contentVersion: path.at(-1)?.contentVersion ?? currentApiVersion,
    steps: path.map((version) => version.step),
  };
}

function majorOf(version: string): number | undefined {
  const [, major] = /^v(\d+)(?:\.\d+)?$/.exec(version) ?? [];
  return major === undefined ? undefined : Number(major);
}
