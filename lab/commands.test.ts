/** The lab's command lines: each one has a help, and refuses unknown arguments before it measures anything. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { runScript } from '../test/support/run-script.ts';

const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')),
);
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^node (?:--\S+ )*(\S+\.ts)$/.exec(line) ?? [];
  return file === undefined ? [] : [{ name, file: join('lab', file) }];
});
const fileOf = (name: string): string => commands.find((one) => one.name === name)?.file ?? '';

it('the commands of the lab are found in its package.json', () => {
  expect(commands.length).toBeGreaterThan(10);
});

describe.concurrent.each(commands)('npm --prefix lab run $name', ({ name, file }) => {
  it('prints a help that explains the command and every argument', async () => {
    const { code, output } = await runScript(file, ['--help']);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(new RegExp(`^Usage: npm --prefix lab run (?:-s )?${name} -- .*\n\n[A-Z][^]*?\\.\n`));
    const [, usage = ''] = /^Usage: (.*)$/m.exec(output) ?? [];
    for (const [, argument] of usage.matchAll(/[[<](\w+)(?:\.\.\.)?[\]>]/g))
      if (argument !== 'options') expect(output).toMatch(new RegExp(`^ {2}${argument} +[A-Z]`, 'm'));
  });
});

it.each([
  ['bench', ['--unknown'], "Unknown option '--unknown'."],
  ['simulate', ['all', '--seed', 'x'], "--seed is 'x'; it must be a whole number, at least 0."],
])('npm --prefix lab run %s -- %j is rejected', async (name, args, message) => {
  expect(await runScript(fileOf(name), args)).toEqual({ code: 2, output: `${message} Run with --help for usage.\n` });
});
