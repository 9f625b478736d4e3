/** Checks docs/architecture.md against the code: its table lists every partition, and the files that it names exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contract } from '../../shared/contract.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');

/** The partition keys in the second column, as prefixes: `WEBHOOK#<id>` is `WEBHOOK#`. */
const documented = [...(document.split('## The table')[1] ?? '').matchAll(/^\| [^|]+ \| `([^`<]+)/gm)].map(
  ([, key = '']) => key,
);

const granted = contract.flatMap(({ access }) => ('table' in access ? Object.values(access.table).flat() : []));

it('the table in docs/architecture.md lists exactly the partitions that functions may access', () => {
  expect(granted.length).toBeGreaterThan(50);
  expect([...new Set(documented)].sort()).toEqual([...new Set(granted)].sort());
});

it("an event's way has ten steps and at most twelve files, which all exist", () => {
  const way = (document.split("### An event's way")[1] ?? '').split('### ')[0] ?? '';
  const files = new Set([...way.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file));
  const places = [...files].map((file) => (/^(functions|shared)\//.test(file) ? file : `shared/deliveries/${file}`));
  expect(places.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  expect([...way.matchAll(/^\d+\. /gm)]).toHaveLength(10);
  expect(files.size).toBeGreaterThan(8);
  expect(files.size).toBeLessThanOrEqual(12);
});
