/** The question before something is deleted. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../command-line/exit-codes.ts';

/** Returns the help of the option `--yes`. */
export const yesHelp = (does = 'Do not ask.'): string => `${does} Required where there is no terminal, as in a script.`;

/** Asks at the terminal; `yes` answers for the person. @throws UsageError without a terminal, Error for a no */
export const confirm = async (question: string, yes: boolean): Promise<void> => {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(`${question} Add --yes, because there is no terminal to ask.`);
  if (!(await agrees(question))) throw new Error('Nothing was changed.');
};

/** Asks the person at the terminal, and returns whether the answer is yes; false without a terminal. */
export const agrees = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The terminal is raw while it is asked, and sends no signal.
  terminal.once('SIGINT', () => process.emit('SIGINT'));
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
};
