/** `npm run ops -- <command>`: the operator's command line. */
import { run } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import { endAtInterrupt } from './output/interrupt.ts';
import { ops } from './program.ts';

// Lists and `tail` end with their reader. Commands with more to do than to print set another code before.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
});

endAtInterrupt();
await run(ops);
