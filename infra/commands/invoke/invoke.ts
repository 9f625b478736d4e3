/**
 * `npm run invoke -- <function> [event file]`: runs one function from its bundle on embedded parts in memory, and prints its
 * answer, its log lines and its AWS calls.
 */
import { existsSync } from 'node:fs';
import { type ContractLine, contract } from '../../../shared/contract.ts';
import { needsOf } from '../../emulator/edge/authorization.ts';
import { runCommand } from '../command.ts';
import { sampleEventFile } from './sample-event.ts';
import { type Observed, type SeenCall, startWorkbench } from './workbench.ts';

const names = (contract as readonly ContractLine[]).map((line) => line.function);

const invoke = async (functionName: string, file: string): Promise<number> => {
  if (!names.includes(functionName))
    throw new Error(`the contract has no function ${functionName}; it has ${names.toSorted().join(', ')}`);
  if (!existsSync(file)) throw new Error(`there is no event in ${file}`);
  const workbench = await startWorkbench();
  try {
    const observed = await workbench.invoke(functionName, file);
    print(functionName, observed);
    return observed.run.ok ? 0 : 1;
  } finally {
    await workbench.stop();
  }
};

const print = (functionName: string, { run, calls, log }: Observed): void => {
  console.log(`${functionName} took ${run.ms.toFixed(0)} ms\n`);
  console.log(run.ok ? `Answer\n${indented(pretty(run.result))}` : `Error\n   ${run.error.name}: ${run.error.message}`);
  console.log(`\nLog\n${indented(log.trim() || '(nothing)')}`);
  console.log(`\nAWS calls\n${calls.map(described).join('\n') || '   (none)'}`);
};

/** The body of an answer is JSON in a string: shown as JSON, it can be read. */
const pretty = (result: unknown): string => {
  const body = typeof result === 'object' && result !== null ? Reflect.get(result, 'body') : undefined;
  if (typeof body !== 'string' || !/^[[{]/.test(body)) return JSON.stringify(result, null, 2) ?? 'nothing';
  return JSON.stringify({ ...Object(result), body: JSON.parse(body) }, null, 2);
};

const described = ({ call, status, ms }: SeenCall): string => {
  // Only the names matter here, so none of the places is looked up.
  const needs = needsOf(call, new Proxy({}, { get: () => 'pk' }));
  const what = needs.map(({ action, resource, context }) => {
    const [, name = ''] = action.split(':');
    const on = context['dynamodb:LeadingKeys']?.join(' ') ?? resource.split(':').at(-1);
    return name === call.action ? on : `${name} ${on}`;
  });
  return `   ${call.service}:${call.action}  ${what.join(', ')}  ${status}  ${ms.toFixed(0)} ms`;
};

const indented = (text: string): string => text.replace(/^(?=.)/gm, '   ');

await runCommand(
  {
    usage: 'npm run invoke -- <function> [event file]',
    does: 'Runs one function once, from its bundle, on parts in memory; prints its answer, its log lines and its AWS calls.',
    takes: {
      '<function>': 'its path below functions/, such as webhooks/update',
      '[event file]': 'test/events/<function>.json, its sample event, where none is given',
    },
    notes: 'docs/local.md says how events refer to tokens, ids and messages.',
  },
  async ({ positionals: [functionName = '', file = sampleEventFile(functionName)] }) => {
    process.exitCode = await invoke(functionName, file);
  },
);
