/** `npm run ops -- prove`: asks a running stage what only a running stage answers, and prints a report for an issue. */
import { sections } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-codes.ts';
import { print, printError } from '../command-line/print.ts';
import { apiCommand, connect, environment } from './api/connection.ts';
import { configOf } from './stage-of.ts';

export const prove = apiCommand('prove')
  .summary('Asks a running stage what only a running stage answers, and prints a report for an issue.')
  .description(
    'Asks a running stage what only a running stage answers: ' +
      'how IAM reads a transaction, what the gateway and SES refuse, whether queues are fair, delays, cold starts, ' +
      'redriving, alarms. Each answer is "as expected", "different" with what was seen, or "not run" with the ' +
      'reason. The report has no keys, addresses or ids of the account.\n\n' +
      'It makes an integration with two webhooks, and removes them, also after Ctrl-C. ' +
      "It sends one mail to SES's mailbox simulator, and sets the alarm throttles once. " +
      'It takes about five minutes and costs less than two cents. ' +
      'It needs a key of the Owner or an Administrator, and AWS credentials that may do what redrive may, read ' +
      'logs and metrics, set an alarm, and invoke a function. The exit code is 1 if something is different.',
  )
  .option('--only <names>', 'Ask only these questions, separated by commas.')
  .addHelpText(
    'after',
    sections({
      environment,
      examples: { 'After the first deployment': 'npm run -s ops -- prove --stage dev > report.md' },
    }),
  )
  .action(async ({ only, ...options }) => {
    const { questions } = await import('./prove/questions.ts');
    const chosen = only?.split(',').map((name) => name.trim());
    const unknown = chosen?.filter((name) => questions.every((question) => question.name !== name)) ?? [];
    if (unknown.length > 0)
      throw new UsageError(
        `--only has ${unknown.map((name) => `'${name}'`).join(', ')}; ` +
          `the questions are ${questions.map(({ name }) => name).join(', ')}.`,
      );
    const config = await configOf(options.stage);
    const caller = await connect(options);
    const [{ openWorld }, { askAll }, { lineOf, reportOf }] = await Promise.all([
      import('./prove/world.ts'),
      import('./prove/run.ts'),
      import('./prove/report.ts'),
    ]);
    const { setTimeout: wait } = await import('node:timers/promises');
    const account =
      config.name === 'local'
        ? undefined
        : (await import('./prove/account.ts')).accountOf(config, caller.baseUrl, (ms) => wait(ms));
    let isInterrupted = false;
    const interrupt = () => {
      isInterrupted = true;
      printError('Removing what was made …');
    };
    process.on('SIGINT', interrupt);
    const began = performance.now();
    const world = await openWorld(config, caller, account);
    try {
      const asked = await askAll(
        questions.filter(({ name }) => chosen === undefined || chosen.includes(name)),
        world,
        (one) => printError(lineOf(one)),
        () => isInterrupted,
      );
      const minutes = (performance.now() - began) / 60_000;
      print(
        reportOf({ config, region: config.region ?? 'the local stack', asked, minutes, requests: world.requests() }),
      );
      if (asked.some(({ answer }) => answer.result === 'different')) process.exitCode = exitCodes.failed;
    } finally {
      await world.close();
      process.off('SIGINT', interrupt);
    }
    if (isInterrupted) process.exitCode = exitCodes.interrupted;
  });
