/** Checks the structure of the code: imports point one way, and each room keeps its own concerns. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Import {
  readonly from: string;
  /** A file of the repository, or a package's name. */
  readonly to: string;
}

const filesOf = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules'] });

const importsOf = (file: string): Import[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /(?:^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?|\bimport\()'([^']+)'/gm,
    ),
  ].map(([, target = '']) => ({
    from: file,
    to: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
  }));

const isPackage = ({ to }: Import): boolean => !/^(functions|shared|infra|web|test|docs|lab)\//.test(to);
const inside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** The rooms of `shared/` in import order: each may import the ones after it, types too, and `shared/contract.ts`. */
const order = [
  'setup',
  'incidents',
  'integrations',
  'deliveries',
  'webhooks',
  'sign-in',
  'invites',
  'accounts',
  'events',
  'stats',
  'formats',
  'limits',
  'publication',
  'due',
  'audit',
  'http',
  'table',
  'aws',
  'foundation',
];
/** What is in `shared/deliveries`, in import order: each may import what is after it. */
const story = [
  'publish',
  'fan-out',
  'replays',
  'log',
  'attempt',
  'backlog',
  'due.ts',
  'lanes.ts',
  'records',
  'sender',
  'delivery.ts',
  'schedule.ts',
  'example.ts',
  'logged.ts',
  'resource.ts',
  'triggers.ts',
];
const roomOf = (path: string): string => path.split('/')[1] ?? '';
const isContract = (path: string): boolean => path === 'shared/contract.ts';

const shared = filesOf('shared').flatMap(importsOf);
const functions = filesOf('functions').flatMap(importsOf);
const infra = filesOf('infra').flatMap(importsOf);
const web = filesOf('web').flatMap(importsOf);
const test = filesOf('test').flatMap(importsOf);
const lab = filesOf('lab').flatMap(importsOf);

/** What the operator's commands know of the API's objects. `ops doctor` has no key, so it reads the relays' items. */
const readersOfShared = [
  'infra/ops/api/resources.ts',
  'infra/ops/commands/columns.ts',
  'infra/ops/doctor/relays.ts',
  'infra/ops/files/configuration.ts',
  'infra/ops/ghost/causes.ts',
  'infra/ops/ghost/facts.ts',
  'infra/ops/ghost/report.ts',
  'infra/ops/ghost/stage.ts',
  'infra/ops/import-ghost.ts',
  'infra/ops/output/advice.ts',
];

/** Erases items with an operator's permissions, so it knows the forms in which the rooms store them. */
const eraser = 'infra/ops/erase/erase-person.ts';

/** Returns the packages that these files of shared, and those that they import, import. */
const packagesBehind = (imports: readonly Import[]): Import[] => {
  const reached = new Set<string>();
  for (const open = imports.map(({ to }) => to); open.length > 0; ) {
    const file = open.pop() ?? '';
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...shared.filter((one) => one.from === file && !isPackage(one)).map(({ to }) => to));
  }
  return shared.filter((one) => reached.has(one.from) && isPackage(one));
};

/** Returns the largest groups of files that all reach each other through imports. */
const circlesIn = (imports: readonly Import[]): string[][] => {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const reach = new Map<string, Set<string>>();
  for (const start of targets.keys()) {
    const seen = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop())
      for (const { to } of targets.get(file) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
    reach.set(start, seen);
  }
  const groups = [...reach].flatMap(([file, seen]) =>
    seen.has(file) ? [[...seen].filter((other) => reach.get(other)?.has(file)).toSorted()] : [],
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
};

const shown = (imports: readonly Import[]): string[] => imports.map(({ from, to }) => `${from} → ${to}`);

describe('house rules', () => {
  it('this test finds the files of every part', () => {
    expect(shared.length).toBeGreaterThan(50);
    expect(functions.length).toBeGreaterThan(30);
    expect(infra.length).toBeGreaterThan(30);
  });

  it('functions import only from shared, never from each other', () => {
    const others = functions.filter((one) => !isPackage(one) && !inside(one.to, 'shared') && !inside(one.to, 'docs'));
    expect(shown(others)).toEqual([]);
  });

  it('web imports only itself, guides, and the parts of shared without Node and AWS', () => {
    const others = web.filter((one) => !isPackage(one) && !inside(one.to, 'web') && !/^docs\/\w+\.md$/.test(one.to));
    expect(shown(others.filter((one) => !inside(one.to, 'shared')))).toEqual([]);
    const packages = packagesBehind(others);
    expect(shown(packages.filter(({ to }) => /^(node:|@aws-sdk\/|undici$|@middy\/)/.test(to)))).toEqual([]);
    expect(packages.length).toBeGreaterThan(0);
  });

  it('only a few files of infra read resource schemas, and those schemas use no AWS package', () => {
    const schemas = infra.filter((one) => readersOfShared.includes(one.from) && inside(one.to, 'shared'));
    const packages = packagesBehind(schemas);
    expect(shown(packages.filter(({ to }) => /^(@aws-sdk\/|undici$|@middy\/)/.test(to)))).toEqual([]);
    expect(packages.length).toBeGreaterThan(0);
  });

  it('no part imports web, which has a bundle of its own', () => {
    expect(shown([...shared, ...functions, ...infra].filter((one) => inside(one.to, 'web')))).toEqual([]);
    expect(web.length).toBeGreaterThan(0);
  });

  it.each(['infra/local/start.ts', 'infra/local/dev/stack.ts'])(
    '%s loads all other modules through the cache of compiled code',
    (file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const before = [...source.matchAll(/^import\s[^']*'([^']+)'/gm)].map(([, target = '']) => target);
      expect(before).toEqual(['node:module', expect.stringMatching(/\/compile-cache\.ts$/)]);
      expect(source).toMatch(/^enableCompileCache\(compileCache\);\nconst .* = await import\(/m);
    },
  );

  it('the product does not import lab, so that it works without the instruments', () => {
    const all = [...shared, ...functions, ...infra, ...web, ...test];
    expect(shown(all.filter((one) => inside(one.to, 'lab')))).toEqual([]);
  });

  it('shared imports nothing from functions, infra or test', () => {
    expect(shown(shared.filter((one) => !isPackage(one) && !inside(one.to, 'shared')))).toEqual([]);
  });

  it('each room of shared has a place in the import order', () => {
    const rooms = new Set(filesOf('shared').map(roomOf));
    expect([...rooms].sort()).toEqual([...order, 'contract.ts'].sort());
  });

  it('docs/architecture.md lists the rooms in their import order', () => {
    const [, section = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\nshared/ ');
    const [rooms = ''] = section.split('contract.ts');
    expect([...rooms.matchAll(/^ +([a-z-]+) {2}/gm)].map(([, room]) => room)).toEqual(order);
  });

  it('a room of shared imports only rooms below it, types included', () => {
    const place = (path: string): number => (isContract(path) ? order.length : order.indexOf(roomOf(path)));
    expect(shown(shared.filter((one) => !isPackage(one) && place(one.to) < place(one.from)))).toEqual([]);
  });

  it('a folder of deliveries imports only folders for later steps of an event, types included', () => {
    const partOf = (path: string): string => path.split('/')[2] ?? '';
    const own = shared.filter(({ from }) => inside(from, 'shared/deliveries'));
    expect([...new Set(own.map(({ from }) => partOf(from)))].filter((part) => !story.includes(part))).toEqual([]);
    const inDeliveries = own.filter(({ to }) => inside(to, 'shared/deliveries'));
    const isUp = ({ from, to }: Import) => story.indexOf(partOf(to)) < story.indexOf(partOf(from));
    expect(shown(inDeliveries.filter(isUp))).toEqual([]);
    expect(inDeliveries.length).toBeGreaterThan(50);
  });

  it.each([
    ['command-line', []],
    ['emulator', []],
    ['cdk', ['shared/foundation']],
    ['local', ['infra/command-line', 'infra/cdk', 'infra/emulator', 'shared/foundation']],
    ['ops', ['infra/command-line', 'infra/local', 'infra/cdk', 'infra/emulator', 'shared/foundation']],
    ['openapi', ['infra/command-line', 'shared', 'functions']],
  ])('infra/%s imports only itself and %j; all but the emulator also read the contract', (part, allowed) => {
    const isAllowed = ({ from, to }: Import) =>
      [`infra/${part}`, ...allowed].some((folder) => inside(to, folder)) ||
      (isContract(to) && part !== 'emulator') ||
      ([...readersOfShared, eraser].includes(from) && inside(to, 'shared'));
    const own = infra.filter(({ from }) => inside(from, `infra/${part}`));
    expect(own.length).toBeGreaterThan(4);
    expect(shown(own.filter((one) => !isPackage(one) && !isAllowed(one)))).toEqual([]);
  });

  it('infra has six parts, each with one purpose', () => {
    const parts = ['cdk', 'command-line', 'emulator', 'local', 'openapi', 'ops'];
    expect([...new Set(filesOf('infra').map(roomOf))].sort()).toEqual(parts);
  });

  it('no files import each other in a circle, types included', () => {
    expect(circlesIn([...shared, ...functions, ...infra, ...web, ...test, ...lab])).toEqual([]);
    expect(test.length).toBeGreaterThan(100);
    expect(lab.length).toBeGreaterThan(100);
  });

  it('a layer of the console imports only layers below it, types included', () => {
    const layers = ['views', 'ui', 'texts', 'api'];
    const isLayer = (path: string) => path.split('/').length > 3;
    const layerOf = (path: string): number => layers.indexOf(path.split('/')[2] ?? '');
    const own = web.filter(({ from, to }) => inside(from, 'web/console') && inside(to, 'web/console'));
    expect(own.length).toBeGreaterThan(100);
    const between = own.filter(({ from, to }) => isLayer(from) && isLayer(to));
    expect(shown(between.filter(({ from, to }) => layerOf(to) < layerOf(from)))).toEqual([]);
    const starts = ['web/console/main.tsx', 'web/console/frame.tsx'];
    const intoViews = own.filter(({ from, to }) => inside(to, 'web/console/views') && layerOf(from) !== 0);
    expect(intoViews.map(({ from }) => from).filter((from) => !starts.includes(from))).toEqual([]);
  });

  it('the search for circles finds a new circle', () => {
    const added = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'a' },
      { from: 'd', to: 'a' },
    ];
    expect(circlesIn(added)).toEqual([['a', 'b', 'c']]);
  });

  it('only shared/table and shared/aws import the AWS SDK', () => {
    const sdk = [...shared, ...functions].filter((one) => one.to.startsWith('@aws-sdk/'));
    expect(shown(sdk.filter((one) => !inside(one.from, 'shared/table') && !inside(one.from, 'shared/aws')))).toEqual(
      [],
    );
    expect(sdk.length).toBeGreaterThan(0);
  });

  it('only shared/http imports middy', () => {
    const http = [...shared, ...functions].filter((one) => one.to === '@middy/core');
    expect(shown(http.filter((one) => !inside(one.from, 'shared/http')))).toEqual([]);
    expect(http.length).toBeGreaterThan(0);
  });

  it('no file is a barrel or a collection of utils or helpers', () => {
    const names = ['shared', 'functions', 'infra', 'web'].flatMap(filesOf);
    expect(names.filter((name) => /(^|\/)(index|utils?|helpers?|common|misc)(\.ts|\/)/.test(name))).toEqual([]);
  });

  it('every file begins with a sentence that states its responsibility', () => {
    const names = ['shared', 'functions', 'infra', 'web'].flatMap(filesOf);
    expect(names.filter((name) => !readFileSync(join(root, name), 'utf8').startsWith('/**'))).toEqual([]);
  });

  it('a comment has at most two lines outside the head of a file, besides tags, of at most 120 characters', () => {
    const wrong = ['functions', 'shared', 'infra', 'web', 'lab', 'test', 'docs/examples']
      .flatMap(filesOf)
      .flatMap((name) => {
        const text = readFileSync(join(root, name), 'utf8');
        const comments = [...text.matchAll(/^ *\/\*\*[\s\S]*?\*\/|(?:^ *\/\/.*\n)+| \/\/ .*/gm)];
        return comments.flatMap(({ 0: comment, index }) => {
          const isLong = comment.split('\n').some((line) => line.length > 120);
          const lines = comment.split(/^ *\* @/m, 1)[0]?.match(/\w.*/g) ?? [];
          return isLong || (index > 0 && lines.length > 2) ? [`${name}: ${comment}`] : [];
        });
      });
    expect(wrong).toEqual([]);
  });

  it('a comment names only files that exist', () => {
    const named = ['shared', 'functions', 'infra', 'web']
      .flatMap(filesOf)
      .flatMap((from) =>
        [...readFileSync(join(root, from), 'utf8').matchAll(/^ *(?:\/\*\*|\*|\/\/).*/gm)].flatMap(([comment]) =>
          [...comment.matchAll(/(?<![\w/])((?:docs|functions|shared|infra|web|test|lab)\/[\w/-]+\.(?:tsx?|md))/g)].map(
            ([, to = '']) => ({ from, to }),
          ),
        ),
      );
    expect(shown(named.filter(({ to }) => !existsSync(join(root, to))))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it('every line of the contract has a file in functions, and every file has a line', async () => {
    const { contract } = await import('../../shared/contract.ts');
    const lines = contract.map((line) => `functions/${line.function}.ts`).sort();
    expect(filesOf('functions').sort()).toEqual(lines);
  });
});
