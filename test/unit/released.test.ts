/** What `npm --prefix lab run release` changes in the changelog, and which releases it refuses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../infra/cdk/root.ts';
import { released } from '../../infra/local/released.ts';

const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n- A construct.\n\n## 0.1.0 - 2026-11-01\n\n- First.\n';
const next = { version: '0.2.0', before: '0.1.0', date: '2026-11-27' };

it('what was unreleased belongs to the release, which says that a new stage may be needed until 1.0.0', () => {
  expect(released(changelog, next)).toEqual({
    changelog:
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-27\n\n' +
      'Until 1.0.0, a release may ask for a new stage; this section says so if it does.\n\n' +
      '### Added\n- A construct.\n\n## 0.1.0 - 2026-11-01\n\n- First.\n',
  });
});

it('a release from 1.0.0 on says nothing of it', () => {
  expect(released(changelog, { ...next, version: '1.0.0' })).not.toMatchObject({
    changelog: expect.stringContaining('Until'),
  });
});

it.each([
  ['0.1.0', '0.1.0 must be higher than 0.1.0'],
  ['0.0.9', '0.0.9 must be higher'],
  ['v0.2.0', 'v0.2.0 is no version such as 0.2.0.'],
])('the version %s is refused', (version, fault) => {
  expect(released(changelog, { ...next, version })).toEqual({ fault: expect.stringContaining(fault) });
});

it('0.10.0 is higher than 0.9.1', () => {
  expect(released(changelog, { ...next, version: '0.10.0', before: '0.9.1' })).toHaveProperty('changelog');
});

it('a release without a change is refused', () => {
  const empty = changelog.replace('### Added\n- A construct.\n', '');
  expect(released(empty, next)).toEqual({ fault: 'CHANGELOG.md has nothing that is unreleased.' });
});

it('the changelog of this project has a section for the next release', () => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const withChange = text.replace('## Unreleased\n', '## Unreleased\n\n- A change.\n');
  expect(released(withChange, { ...next, version: '99.0.0' })).toHaveProperty('changelog');
});
