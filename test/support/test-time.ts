/** Time in tests: it passes on request only, and what a test opens is closed at its end. */
import { afterEach, beforeEach, vi } from 'vitest';

interface TestTime {
  readonly pass: (ms: number) => void;
  /** Returns what was opened, such as a receiver, and closes it after the test. */
  readonly opened: <T extends { close(): unknown }>(resource: T) => T;
}

/** Stops the clock in each test of a file, at an epoch ms or when the test begins. Call it once, at the file's top. */
export const stopTime = (at?: number): TestTime => {
  const open: { close(): unknown }[] = [];
  // Time never goes back between tests: a function would wait for a turn in the future. Nor does it stand still, or
  // one test's work would have the time of what the next does first.
  let latest = 0;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: at ?? Math.max(Date.now(), latest) });
  });
  afterEach(() => {
    latest = Date.now() + 1;
    vi.useRealTimers();
    for (const resource of open.splice(0)) resource.close();
  });
  return {
    pass: (ms) => {
      vi.setSystemTime(Date.now() + ms);
    },
    opened: (resource) => {
      open.push(resource);
      return resource;
    },
  };
};
