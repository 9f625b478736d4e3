/** The workflows: pinned to commits, and with no more rights than they use. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
describe.each(workflows)('$name', ({ text }) => {
  it('pins what others wrote to a commit, and says which version that is', () => {
    const used = [...text.matchAll(/uses: *(.+)/g)].map(([, what = '']) => what);
    const foreign = used.filter((what) => !what.startsWith('./'));
    expect(used.length).toBeGreaterThan(0);
    for (const what of foreign) expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('may read the code, and only where it deploys or tells more than that', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
    expect(text).not.toMatch(/write-all|contents: write|packages: write/);
  });

  it('holds no key of AWS: it trades its token for a role', () => {
    expect(text).not.toMatch(/aws-access-key-id|AWS_SECRET/i);
    if (text.includes('configure-aws-credentials')) expect(text).toMatch(/id-token: write/);
  });
});
