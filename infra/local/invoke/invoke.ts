/** `npm run invoke -- <function> [event file]`: runs a function in memory; prints its result, log and AWS calls. */
import { distance } from 'fastest-levenshtein';
import { contract } from '../../../shared/contract.ts';
import { command, run } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { needsOf } from '../../emulator/proxy/authorization.ts';
import { type Observed, type ObservedCall, startWorkbench } from './workbench.ts';

const names: readonly string[] = contract.map((line) => line.function);

const invoke = async (functionName: string, file: string | undefined): Promise<number> => {
  if (!names.includes(functionName)) throw new UsageError(unknownFunction(functionName));
  const workbench = await startWorkbench();
  try {
    const observed = await workbench.invoke(functionName, file);
    print(functionName, observed);
    return observed.run.ok ? 0 : 1;
  } finally {
    await workbench.stop();
  }
};

const unknownFunction = (name: string): string => {
  const near = names.filter((known) => distance(name, known) <= 2);
  return near.length > 0
    ? `Unknown function '${name}'. Did you mean ${near.join(' or ')}?`
    : `<function> is '${name}'; it must be one of ${names.toSorted().join(', ')}.`;
};

const print = (functionName: string, { run, calls, log }: Observed): void => {
  console.log(`${functionName} took ${run.ms.toFixed(0)} ms\n`);
  console.log(run.ok ? `Result\n${indented(pretty(run.result))}` : `Error\n   ${run.error.name}: ${run.error.message}`);
  console.log(`\nLog\n${indented(log.trim() || '(empty)')}`);
  console.log(`\nAWS calls\n${calls.map(textOf).join('\n') || '   (none)'}`);
};

const pretty = (result: unknown): string => {
  const body = typeof result === 'object' && result !== null ? Reflect.get(result, 'body') : undefined;
  if (typeof body !== 'string' || !/^[[{]/.test(body)) return JSON.stringify(result, null, 2) ?? 'undefined';
  return JSON.stringify({ ...Object(result), body: JSON.parse(body) }, null, 2);
};

const textOf = ({ call, status, ms }: ObservedCall): string => {
  // The name of the partition key is the same in every table.
  const needs = needsOf(call, new Proxy({}, { get: () => 'pk' }));
  const what = needs.map(({ action, resource, context }) => {
    const [, name = ''] = action.split(':');
    const on = context['dynamodb:LeadingKeys']?.join(' ') ?? resource.split(':').at(-1);
    return name === call.action ? on : `${name} ${on}`;
  });
  return `   ${call.service}:${call.action}  ${what.join(', ')}  ${status}  ${ms.toFixed(0)} ms`;
};

const indented = (text: string): string => text.replace(/^(?=.)/gm, '   ');

await run(
  command('npm run invoke --')
    .description(
      'Runs one function once, from its bundle, on a stack in memory, and prints its result, log and AWS calls. ' +
        'test/events/README.md lists the placeholders that events may contain.',
    )
    .argument('<function>', 'Path of the function below functions/, such as webhooks/update.')
    .argument('[event file]', 'File with the event (default: a sample event of the function).')
    .action(async (functionName, file) => {
      process.exitCode = await invoke(functionName, file);
    }),
);
