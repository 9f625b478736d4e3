/** Opens a page in the browser of the person who runs a command. */
import { spawn } from 'node:child_process';

/** Opens the page, if this platform has a program for it; otherwise nothing happens. */
export const openUrl = (url: string): void => {
  const [program, ...options] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer'] : ['xdg-open'];
  if (program === undefined) return;
  const opening = spawn(program, [...options, url], { stdio: 'ignore', detached: true });
  opening.on('error', () => {});
  opening.unref();
};
