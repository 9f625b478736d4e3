/** A running stack and a browser for one test file. */
import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { startBrowser } from './browser.ts';

/** Starts a stack and a browser until the test file ends; call it at its top. @param environment of the stack */
export const startStackAndBrowser = async (
  environment: NodeJS.ProcessEnv = {},
): Promise<{
  readonly browser: Browser;
  readonly running: RunningStack;
  readonly folder: string;
}> => {
  const home = temporaryHome();
  const [browser, running] = await Promise.all([startBrowser(), runStack(home.folder, ['--memory'], environment)]);
  afterAll(async () => {
    await browser.close();
    await running.end('SIGINT');
    home.remove();
  });
  return { browser, running, folder: home.folder };
};
