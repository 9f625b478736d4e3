/** `npm run ops -- <command>`: the operator's command line. */
import { run } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import { endAtInterrupt } from './output/interrupt.ts';
import { ops } from './program.ts';

// Ends the command when its reader closes the pipe. A command that must not count as done sets an exit code first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
});

endAtInterrupt();
await run(ops);
