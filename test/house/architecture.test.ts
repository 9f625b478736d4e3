/** Holds docs/architecture.md to the code: its table lists every partition of the contract, and no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contract } from '../../shared/contract.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');

/** The partition keys in the second column, as prefixes: `WEBHOOK#<id>` is `WEBHOOK#`. */
const documented = [...(document.split('## The table')[1] ?? '').matchAll(/^\| [^|]+ \| `([^`<]+)/gm)].map(
  ([, key = '']) => key,
);

const granted = contract.flatMap(({ access }) => ('table' in access ? Object.values(access.table).flat() : []));

it('lists every partition that functions may access, and no other', () => {
  expect(granted.length).toBeGreaterThan(50);
  expect([...new Set(documented)].sort()).toEqual([...new Set(granted)].sort());
});
