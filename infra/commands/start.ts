/** `npm start`: runs the stage `local` on this machine until Ctrl-C. */
import { run } from './command.ts';
import { runStack, stackCommand } from './run-stack.ts';

await run(
  stackCommand('npm start --')
    .description('Runs Masthead on this machine until Ctrl-C.')
    .action((options) => runStack(options)),
);
