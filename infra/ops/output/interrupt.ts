/** Ctrl-C: ends every command with one exit code, and leaves the terminal as it was. */
import { exitCodes } from '../../command-line/exit-codes.ts';

/** Progress bars hide the cursor. */
const showCursor = '\u001b[?25h';

/**
 * Ends the process at Ctrl-C, or at the second one if the command itself listens, as `publish` does to finish requests.
 * What was printed is complete: Node.js writes to files, pipes and terminals before it exits.
 */
export const endAtInterrupt = (): void => {
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') > 1) return;
    if (process.stderr.isTTY) process.stderr.write(showCursor);
    process.exit(exitCodes.interrupted);
  });
};
