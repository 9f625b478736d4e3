/** What a release changes in the changelog. */

interface NewRelease {
  readonly version: string;
  readonly before: string;
  /** Of today, such as `2026-11-27`. */
  readonly date: string;
}

const numbersOf = (version: string): number[] => version.split('.').map(Number);

const isHigher = (version: string, before: string): boolean => {
  const [ours, theirs] = [numbersOf(version), numbersOf(before)];
  const at = ours.findIndex((number, index) => number !== theirs[index]);
  return at >= 0 && (ours[at] ?? 0) > (theirs[at] ?? 0);
};

/** Returns the changelog in which what was unreleased belongs to a release, or why there can be no such release. */
export const released = (
  changelog: string,
  { version, before, date }: NewRelease,
): { readonly changelog: string } | { readonly fault: string } => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return { fault: `${version} is no version such as 0.2.0.` };
  if (!isHigher(version, before))
    return { fault: `${version} must be higher than ${before}, the version of package.json.` };
  const heading = '## Unreleased\n';
  const [above = '', below] = changelog.split(heading);
  if (below === undefined) return { fault: 'CHANGELOG.md has no section Unreleased.' };
  if (!/^- /m.test(below.split(/^## /m)[0] ?? '')) return { fault: 'CHANGELOG.md has nothing that is unreleased.' };
  const note = version.startsWith('0.')
    ? '\nUntil 1.0.0, a release may ask for a new stage; this section says so if it does.\n'
    : '';
  return { changelog: `${above}${heading}\n## ${version} - ${date}\n${note}${below}` };
};
