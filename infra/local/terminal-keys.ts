/** Single keys in a running stack's terminal open its pages. */
import { spawn } from 'node:child_process';
import type { StackFile } from './home.ts';
import { signedInUrl } from './signed-in.ts';

const ctrlC = '\u0003';

/** Reads keys until `stop`, if the terminal can. @param end is called for Ctrl-C, which then sends no signal */
export const readKeys = (stack: StackFile, end: () => void): { stop(): Promise<void> } => {
  const { stdin } = process;
  const onKey = (key: string): void => {
    if (key === ctrlC) end();
    pages[key]?.(stack).then(
      (url) => {
        console.log(`Opening ${url}`);
        openUrl(url);
      },
      (error: Error) => console.error(error.message),
    );
  };
  stdin.setRawMode(true).setEncoding('utf8').on('data', onKey).resume();
  return {
    async stop() {
      stdin.setRawMode(false).off('data', onKey).pause();
    },
  };
};

/** Whether there is a terminal that can pass single keys on. */
export const hasKeys = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

const pages: Readonly<Record<string, (stack: StackFile) => Promise<string>>> = {
  o: signedInUrl,
  m: async ({ mailbox }) => `${mailbox}/`,
  r: async ({ receiverPage }) => receiverPage,
};

/** Opens the page, or says that no browser did. */
const openUrl = (url: string): void => {
  const [program, ...options] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer'] : ['xdg-open'];
  if (program === undefined) return;
  const opening = spawn(program, [...options, url], { stdio: 'ignore', detached: true });
  const fail = () => console.error('No browser opened. Open the address yourself.');
  // The explorer of Windows always ends with 1.
  opening.on('error', fail).on('exit', (code) => code !== 0 && process.platform !== 'win32' && fail());
  opening.unref();
};
