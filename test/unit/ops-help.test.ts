/** The help of the operator's commands: it is complete, and its examples are correct. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { ops } from '../../infra/ops/program.ts';
import { waitReasons } from '../../shared/deliveries/resource.ts';

/** Returns the help of a command, 120 columns wide, and of all below it. */
const helpsOf = (program: CommandUnknownOpts, parents = ''): { readonly name: string; readonly text: string }[] => {
  const name = `${parents}${program.name()}`;
  let text = '';
  const before = program.configureOutput();
  const to = { getOutHelpWidth: () => 120, getOutHasColors: () => false, writeOut: (part: string) => (text += part) };
  program.configureOutput({ ...before, ...to });
  program.outputHelp();
  program.configureOutput(before);
  const below = program.createHelp().visibleCommands(program);
  return [{ name, text: text.trimEnd() }, ...below.flatMap((one) => helpsOf(one, `${name} `))];
};
const helps = helpsOf(ops);

it("the operator's commands include every group that an operator needs", () => {
  const groups = ['keys', 'integrations', 'webhooks', 'publish', 'deliveries', 'replay', 'redrive', 'invites', 'staff'];
  expect(ops.commands.map((one) => one.name())).toEqual(expect.arrayContaining([...groups, 'stats', 'doctor']));
  expect(helps.length).toBeGreaterThan(40);
});

describe.each(helps)('$name --help', ({ name, text }) => {
  it('shows usage, purpose and examples', () => {
    expect(text).toMatch(new RegExp(`^Usage: ${name} .*\n\n[A-Z][^]*?\\.\n`));
    expect(text).toMatch(/^Examples:\n {2}# .*\n {2}\S/m);
  });

  it('shows only examples whose commands and options exist', () => {
    const lines = text.split('Examples:\n')[1]?.match(/(?<= -- |^ +masthead )[^|\n")]+/gm) ?? [];
    expect(lines).not.toEqual([]);
    for (const line of lines) {
      const words = line.match(/'[^']*'|\S+/g) ?? [];
      const found = commandOf(ops, words);
      const known = [...found.command.options, { long: '--help' }].map(({ long }) => long);
      const options = found.rest.filter((word) => word.startsWith('--'));
      expect(
        options.filter((option) => !known.includes(option)),
        line,
      ).toEqual([]);
      // After a group comes one of its commands or --help.
      expect(found.command.commands.length === 0 || options.includes('--help'), line).toBe(true);
    }
  });
});

it('the option --yes is explained as required where there is no terminal', () => {
  const withYes = helps.filter(({ text }) => text.includes('--yes '));
  expect(withYes.length).toBeGreaterThan(6);
  for (const { name, text } of withYes)
    expect(text.replace(/\s+/g, ' '), name).toContain('Required where there is no terminal');
});

it.each([
  ['webhooks list', ['available', 'failing', 'disabled', 'unused']],
  ['deliveries list', Object.keys(waitReasons)],
  ['deliveries tail', Object.keys(waitReasons)],
])('the help of %s explains each of the words that it prints: %j', (name, words) => {
  const text = helps.find((help) => help.name.endsWith(` ${name}`))?.text ?? '';
  for (const word of words) expect(text).toMatch(new RegExp(`^  ${word} +\\w+ \\w+`, 'm'));
});

it('the help of a command that changes staff shows how to suspend a member', () => {
  const text = helps.find(({ name }) => name.endsWith(' staff update'))?.text ?? '';
  expect(text).toContain('npm run ops -- staff update ada@example.com --status inactive');
  expect(helps.find(({ name }) => name.endsWith(' staff'))?.text).toMatch(/^ {2}update +.*suspend/m);
});

const commandOf = (
  command: CommandUnknownOpts,
  words: readonly string[],
): { readonly command: CommandUnknownOpts; readonly rest: readonly string[] } => {
  const next = command.commands.find((one) => one.name() === words[0]);
  return next === undefined ? { command, rest: words } : commandOf(next, words.slice(1));
};
