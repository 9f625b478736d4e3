/** The single keys that a running stack's terminal reads: they open its pages. */
import { eventually } from './demo/eventually.ts';
import { sentMails } from './demo/mailbox.ts';
import type { StackFile } from './home.ts';
import { openUrl } from './open-url.ts';

const ctrlC = '\u0003';

/** Reads keys until `stop`, if the terminal can. @param end is called for Ctrl-C, which no longer arrives as a signal */
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
  o: (stack) => signInLink(stack),
  m: async ({ mailbox }) => `${mailbox}/`,
  r: async ({ receiverPage }) => receiverPage,
};

/** Asks for a sign-in mail for the Owner, as the console does, and returns the link in it, which works once. */
export const signInLink = async (stack: StackFile): Promise<string> => {
  const known = (await sentMails(stack)).length;
  const response = await fetch(`${stack.baseUrl}/admin/session/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(stack.baseUrl).origin },
    body: JSON.stringify({ sessions: [{ email: stack.ownerEmail }] }),
  });
  if (!response.ok)
    throw new Error(`No sign-in link: the API answered ${response.status}. Try again in a few minutes.`);
  return eventually('a mail with a sign-in link', async () => {
    const mails = (await sentMails(stack))
      .slice(known)
      .filter(({ destination }) => destination.to.includes(stack.ownerEmail));
    return mails.flatMap(({ body }) => /https?:\/\/\S+\/console\/\S+/.exec(body.text)?.[0] ?? [])[0];
  });
};
