/** Holds the house together: imports point one way, and each room keeps what is its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Import {
  readonly from: string;
  /** A file of ours below the root, or a package's name. */
  readonly to: string;
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

const importsOf = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export)\s[^'"]*?(?:from\s+)?'([^']+)'/gm)].map(
    ([, target = '']) => ({
      from: file,
      to: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
    }),
  );

const isPackage = ({ to }: Import): boolean => !/^(functions|shared|infra|test|docs)\//.test(to);
const inside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** The rooms of `shared/` in import order: each may import those after it, types included. `shared/contract.ts` is below all. */
const order = [
  'setup',
  'integrations',
  'deliveries',
  'webhooks',
  'invites',
  'accounts',
  'events',
  'limits',
  'publication',
  'due',
  'http',
  'table',
  'aws',
  'foundation',
];
const roomOf = (path: string): string => path.split('/')[1] ?? '';
const isContract = (path: string): boolean => path === 'shared/contract.ts';

const shared = filesOf('shared').flatMap(importsOf);
const functions = filesOf('functions').flatMap(importsOf);
const infra = filesOf('infra').flatMap(importsOf);

const shown = (imports: readonly Import[]): string[] => imports.map(({ from, to }) => `${from} → ${to}`);

describe('the house', () => {
  it('has files to speak of', () => {
    expect(shared.length).toBeGreaterThan(50);
    expect(functions.length).toBeGreaterThan(30);
    expect(infra.length).toBeGreaterThan(30);
  });

  it('lets functions import from shared only, and never from each other', () => {
    expect(
      shown(
        functions.filter(
          (one) =>
            !isPackage(one) &&
            !inside(one.to, 'shared') &&
            !inside(one.to, 'docs') &&
            !inside(one.to, 'infra/commands/openapi'),
        ),
      ),
    ).toEqual([]);
  });

  it('keeps shared free of functions, infra and test', () => {
    expect(shown(shared.filter((one) => !isPackage(one) && !inside(one.to, 'shared')))).toEqual([]);
  });

  it('has only rooms with a place in the import order, and the contract', () => {
    const rooms = new Set(filesOf('shared').map(roomOf));
    expect([...rooms].sort()).toEqual([...order, 'contract.ts'].sort());
  });

  it('lets a room import only rooms below it, types included', () => {
    const place = (path: string): number => (isContract(path) ? order.length : order.indexOf(roomOf(path)));
    expect(shown(shared.filter((one) => !isPackage(one) && place(one.to) < place(one.from)))).toEqual([]);
  });

  it('lets infra import the contract and the foundation; only the OpenAPI generator reads schemas of other rooms', () => {
    const own = infra.filter(
      (one) => inside(one.to, 'shared') && !isContract(one.to) && roomOf(one.to) !== 'foundation',
    );
    expect(shown(own.filter((one) => !inside(one.from, 'infra/commands/openapi')))).toEqual([]);
  });

  it('knows the AWS SDK in shared/table and shared/aws only', () => {
    const sdk = [...shared, ...functions].filter((one) => one.to.startsWith('@aws-sdk/'));
    expect(shown(sdk.filter((one) => !inside(one.from, 'shared/table') && !inside(one.from, 'shared/aws')))).toEqual(
      [],
    );
    expect(sdk.length).toBeGreaterThan(0);
  });

  it('knows middy and jose in shared/http only', () => {
    const http = [...shared, ...functions].filter((one) => one.to === '@middy/core' || one.to === 'jose');
    expect(shown(http.filter((one) => !inside(one.from, 'shared/http')))).toEqual([]);
    expect(http.length).toBeGreaterThan(0);
  });

  it('has no barrel, no utils and no helpers', () => {
    const names = [...filesOf('shared'), ...filesOf('functions'), ...filesOf('infra')];
    expect(names.filter((name) => /(^|\/)(index|utils?|helpers?|common|misc)(\.ts|\/)/.test(name))).toEqual([]);
  });

  it('opens every file with a sentence that says what it is responsible for', () => {
    const names = [...filesOf('shared'), ...filesOf('functions'), ...filesOf('infra')];
    expect(names.filter((name) => !readFileSync(join(root, name), 'utf8').startsWith('/**'))).toEqual([]);
  });

  it('has a file for each line of the contract, and a line for each file in functions', async () => {
    const { contract } = await import('../../shared/contract.ts');
    const lines = contract.map((line) => `functions/${line.function}.ts`).sort();
    expect(filesOf('functions').sort()).toEqual(lines);
  });
});
