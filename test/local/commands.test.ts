/** The commands of package.json tell what they do, and say in one line what is wrong with their arguments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { runScript } from '../support/run-script.ts';

const file = join(import.meta.dirname, '../../package.json');
const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(file, 'utf8')),
);

/** Those for people, by name, with their file. */
const commands = Object.entries(scripts).flatMap(([name, command]): (readonly [string, string])[] => {
  const [, script] = /\bnode .*?\b((?:infra\/commands|test\/(?:faults|mutation))\/\S+\.ts)$/.exec(command) ?? [];
  return script === undefined ? [] : [[name, script]];
});

it('there are commands to speak of', () => {
  expect(commands.map(([name]) => name)).toEqual(
    expect.arrayContaining(['start', 'demo', 'token', 'id', 'counts', 'invoke', 'smoke', 'simulate', 'mutate', 'ops']),
  );
});

describe.each(commands)('npm run %s', (name, script) => {
  it('tells with --help what it does and takes', async () => {
    const { code, output } = await runScript(script, ['--help']);
    expect(code).toBe(0);
    expect(output.split('\n')[0]).toMatch(name === 'start' ? /^npm start / : new RegExp(`npm run (-s )?${name}\\b`));
    expect(output).toMatch(/--help\b/);
  });
});

describe('a command says in one line', () => {
  it.each([
    ['that it knows no such option', 'infra/commands/counts.ts', ['--jsn'], "Unknown option '--jsn'"],
    [
      'that a value is missing',
      'infra/commands/smoke.ts',
      ['url', '--mail'],
      "Option '--mail <value>' argument missing",
    ],
    ['that an argument is missing', 'infra/commands/id.ts', [], '<kind> is missing'],
    ['that there is one too many', 'infra/commands/token.ts', ['Editor', 'Author'], "Unexpected argument 'Author'"],
  ])('%s', async (_what, script, args, sentence) => {
    expect(await runScript(script, args)).toEqual({
      code: 1,
      output: `${sentence}; --help tells what this command takes.\n`,
    });
  });

  it('that a value is no number', async () => {
    const { code, output } = await runScript('test/faults/simulate.ts', ['shared-origin', '--seed', 'x']);
    expect([code, output]).toEqual([1, '--seed is "x"; it must be a number.\n']);
  });
});
