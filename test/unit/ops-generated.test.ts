/** The generated commands: each endpoint that keys may call has one, with the API document's options and texts. */
import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { type Endpoint, endpointNamed, endpoints, type Schema } from '../../infra/ops/api/document.ts';
import { givensOf } from '../../infra/ops/commands/fields.ts';
import { functionsWithWords, wordsOf } from '../../infra/ops/commands/words.ts';
import { ops } from '../../infra/ops/program.ts';
import { replayable } from '../../shared/deliveries/replays/resource.ts';
import { deliveryStates } from '../../shared/deliveries/resource.ts';
import { inviteStates } from '../../shared/invites/resource.ts';
import { periods } from '../../shared/stats/resource.ts';

const commandCalled = (name: string): CommandUnknownOpts => {
  const found = name
    .split(' ')
    .reduce<CommandUnknownOpts | undefined>((one, word) => one?.commands.find((sub) => sub.name() === word), ops);
  if (found === undefined) throw new Error(`There is no command ${name}.`);
  return found;
};
const optionsOf = (name: string) => commandCalled(name).options.map(({ long }) => long);

it('every endpoint that a key may call has a command, or one that is written by hand calls it', () => {
  expect(endpoints.length).toBeGreaterThan(40);
  for (const { function: name } of endpoints) {
    const { name: words } = wordsOf(name);
    if (words !== null) expect(commandCalled(words).description(), name).toMatch(/\.$/m);
  }
});

it('words are about endpoints that exist', () => {
  for (const name of functionsWithWords) expect(endpointNamed(name).function).toBe(name);
});

it("every field of an endpoint is an option or argument, in the API's words or shorter ones", () => {
  expect(optionsOf('webhooks update')).toEqual(
    expect.arrayContaining(['--event', '--target', '--name', '--api-version', '--options-file']),
  );
  expect(optionsOf('webhooks create')).toEqual(expect.arrayContaining(['--integration', '--secret-file']));
  expect(optionsOf('staff update')).toEqual(
    expect.arrayContaining(['--role', '--status', '--confirm-unverified-email']),
  );
  expect(commandCalled('integrations create').registeredArguments.map((one) => one.name())).toEqual(['name']);
});

it('the fields of an endpoint that is new become options, by their names and their types', () => {
  const field = (name: string, schema: Schema, isRequired = false) => ({
    name,
    in: 'body' as const,
    schema,
    isRequired,
  });
  const recoveries: Endpoint = {
    ...endpointNamed('webhooks/ping'),
    fields: [
      field('since', { type: 'string' }, true),
      field('webhook_ids', { type: 'array', items: { type: 'string' } }),
      field('status', { enum: ['failed', 'held', null] }),
      field('dry_run', { type: 'boolean', default: false }),
      field('proof_token', { type: 'string' }),
      field('token', { type: 'string' }),
      field('pattern', { type: 'object' }),
    ],
  };
  const forms = givensOf(recoveries, () => true).map(({ form }) => form as Option);
  expect(forms.map(({ flags }) => flags)).toEqual([
    '--since <time>',
    '--webhooks <webhooks>',
    '--status <status>',
    '--dry-run',
    '--proof-token <proof-token>',
    '--token-file <file>',
    '--pattern-file <file>',
  ]);
  expect(forms[0]).toMatchObject({ mandatory: true });
  expect(forms[0]?.parseArg?.('2026-11-22', undefined as never)).toBe('2026-11-22T00:00:00.000Z');
  expect(forms[2]?.argChoices).toEqual(['failed', 'held']);
});

it('no command takes a secret as an argument, which other users of the machine could see', () => {
  const all = (one: CommandUnknownOpts): CommandUnknownOpts[] => [one, ...one.commands.flatMap(all)];
  const secrets = all(ops).flatMap((one) =>
    one.options.filter(({ long }) => /^--(secret|token|password)$/.test(long ?? '')),
  );
  expect(secrets).toEqual([]);
});

it.each([
  ['deliveries list', '--status', deliveryStates],
  ['replay', '--status', replayable],
  ['invites list', '--status', inviteStates],
  ['stats', '--period', periods],
])('%s %s has the choices of the API', (name, option, choices) => {
  expect(commandCalled(name).options.find(({ long }) => long === option)?.argChoices).toEqual([...choices]);
});
