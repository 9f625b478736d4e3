/** The command lines of benchmarks and soaks: each has a help, and refuses what it does not know before it measures anything. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runScript } from '../../test/support/run-script.ts';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const benchmarks = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /\b(lab\/(?:bench|cost|soak)\/\S+\.ts)$/.exec(line) ?? [];
  return file === undefined ? [] : [{ name, file }];
});

it('are found', () => {
  expect(benchmarks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['bench', 'cost', 'soak', 'soak:invites', 'bench:deliver', 'bench:lambda', 'bench:long']),
  );
});

describe.concurrent.each(benchmarks)('npm run $name', ({ name, file }) => {
  it('prints a help that says what is measured and what each argument is', async () => {
    const { code, output } = await runScript(file, ['--help']);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(new RegExp(`^Usage: npm run ${name} -- .*\n\n[A-Z][^]*?\\.\n`));
    const [, usage = ''] = /^Usage: (.*)$/m.exec(output) ?? [];
    for (const [, argument] of usage.matchAll(/[[<](\w+)(?:\.\.\.)?[\]>]/g))
      if (argument !== 'options') expect(output).toMatch(new RegExp(`^ {2}${argument} +[A-Z]`, 'm'));
  });

  it('refuses an argument that it does not know', async () => {
    const { code, output } = await runScript(file, ['unknown']);
    expect({ code, output }).toMatchObject({ code: 2 });
    expect(output).toMatch(/'unknown'.* Run with --help for usage\.\n$/);
  });
});

it.each([
  ['bench:deliver', ['7', '0'], "<requests> is '0'; it must be a whole number, at least 1."],
  ['bench:sender', ['9', '4000', '1'], "Unexpected argument '1'."],
  ['bench:handshakes', ['1.5'], "<environments> is '1.5'; it must be a whole number, at least 1."],
])('npm run %s -- %j is refused', async (name, args, message) => {
  const { file = '' } = benchmarks.find((one) => one.name === name) ?? {};
  expect(await runScript(file, args)).toEqual({ code: 2, output: `${message} Run with --help for usage.\n` });
});
