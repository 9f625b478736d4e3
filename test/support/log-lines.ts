/** Captures the log of functions while a test runs. */
import { afterEach, beforeEach, vi } from 'vitest';

interface WrittenLog {
  readonly text: () => string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the fields of a line
  readonly lines: () => any[];
}

/** Captures stdout and stderr of each test of this file. */
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
