/** The workflows: pinned to commits, with minimal permissions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
describe.each(workflows)('$name', ({ text }) => {
  it('pins third-party actions to a commit and names the version', () => {
    const used = [...text.matchAll(/uses: *(.+)/g)].map(([, what = '']) => what);
    const foreign = used.filter((what) => !what.startsWith('./'));
    expect(used.length).toBeGreaterThan(0);
    for (const what of foreign) expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('reads the code by default, and has no write permission to it', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
    expect(text).not.toMatch(/write-all|contents: write|packages: write/);
  });

  it('stores no AWS key: it exchanges its token for a role', () => {
    expect(text).not.toMatch(/aws-access-key-id|AWS_SECRET/i);
    if (text.includes('configure-aws-credentials')) expect(text).toMatch(/id-token: write/);
  });
});
