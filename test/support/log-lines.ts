/** What functions write to the log while a test runs, in place of the terminal. */
import { afterEach, beforeEach, vi } from 'vitest';

interface WrittenLog {
  /** All of it. */
  readonly text: () => string;
  /** Its JSON lines. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever a line has is what the test is about
  readonly lines: () => any[];
}

/** Takes what each test of this file writes to stdout and stderr. */
export const takeLog = (): WrittenLog => {
  let written = '';
  beforeEach(() => {
    written = '';
    const take = (chunk: unknown) => {
      written += String(chunk);
      return true;
    };
    vi.spyOn(process.stdout, 'write').mockImplementation(take);
    vi.spyOn(process.stderr, 'write').mockImplementation(take);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return {
    text: () => written,
    lines: () =>
      written
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
  };
};
