/** Holds the house together: imports point one way, and each room keeps what is its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Import {
  readonly from: string;
  /** A file of ours below the root, or a package's name. */
  readonly to: string;
  readonly isTypeOnly: boolean;
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

const importsOf = (file: string): Import[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?(?:from\s+)?'([^']+)'/gm),
  ].map(([, type, target = '']) => ({
    from: file,
    to: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
    isTypeOnly: type !== undefined,
  }));

const isPackage = ({ to }: Import): boolean => !/^(functions|shared|infra|test|docs)\//.test(to);
const inside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
const edges = ['shared/table', 'shared/aws', 'shared/http'];
const isEdge = (path: string): boolean => edges.some((edge) => inside(path, edge));
const isGround = (path: string): boolean => /^shared\/[^/]+\.ts$/.test(path);
const isNoun = (path: string): boolean => inside(path, 'shared') && !isEdge(path) && !isGround(path);
const nounOf = (path: string): string => path.split('/')[1] ?? '';

const shared = filesOf('shared').flatMap(importsOf);
const functions = filesOf('functions').flatMap(importsOf);
const infra = filesOf('infra').flatMap(importsOf);

const told = (imports: readonly Import[]): string[] => imports.map(({ from, to }) => `${from} → ${to}`);

describe('the house', () => {
  it('has files to speak of', () => {
    expect(shared.length).toBeGreaterThan(50);
    expect(functions.length).toBeGreaterThan(30);
    expect(infra.length).toBeGreaterThan(30);
  });

  it('lets functions import from shared only, and never from each other', () => {
    expect(
      told(functions.filter((one) => !isPackage(one) && !inside(one.to, 'shared') && !inside(one.to, 'docs'))),
    ).toEqual([]);
  });

  it('keeps shared free of functions, infra and test', () => {
    expect(told(shared.filter((one) => !isPackage(one) && !inside(one.to, 'shared')))).toEqual([]);
  });

  it('keeps the ground floor, shared/*.ts, free of all that stands on it', () => {
    expect(told(shared.filter((one) => isGround(one.from) && !isPackage(one) && !isGround(one.to)))).toEqual([]);
  });

  it('lets table, aws and http know no noun', () => {
    expect(told(shared.filter((one) => isEdge(one.from) && isNoun(one.to)))).toEqual([]);
  });

  it('lets a noun reach no other noun through its store, but for the writes of a common transaction', () => {
    // A store may compose its transaction of another noun's writes; rules get what they need through ports.
    const sideways = shared.filter(
      (one) =>
        isNoun(one.from) &&
        isNoun(one.to) &&
        nounOf(one.from) !== nounOf(one.to) &&
        /store\.ts$/.test(one.to) &&
        !/(store|load|find)\.ts$/.test(one.from) &&
        !inside(one.from, 'shared/setup') &&
        !one.isTypeOnly,
    );
    expect(told(sideways)).toEqual([]);
  });

  it('lets infra read the ground floor, with the contract and the settings, and no noun, table or HTTP', () => {
    expect(told(infra.filter((one) => inside(one.to, 'shared') && !isGround(one.to)))).toEqual([]);
  });

  it('knows the AWS SDK in shared/table and shared/aws only', () => {
    const sdk = [...shared, ...functions].filter((one) => one.to.startsWith('@aws-sdk/'));
    expect(told(sdk.filter((one) => !inside(one.from, 'shared/table') && !inside(one.from, 'shared/aws')))).toEqual([]);
    expect(sdk.length).toBeGreaterThan(0);
  });

  it('knows middy and jose in shared/http only', () => {
    const http = [...shared, ...functions].filter((one) => one.to === '@middy/core' || one.to === 'jose');
    expect(told(http.filter((one) => !inside(one.from, 'shared/http')))).toEqual([]);
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
