/** Time passes as fast as a test's process computes: a busy machine would end a claim of 15 s during a test of 1 s. */
import { afterAll, beforeEach } from 'vitest';

const RealDate = globalThis.Date;
const computedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let began = { at: RealDate.now(), computed: computedMs() };
const now = (): number => Math.floor(began.at + computedMs() - began.computed);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, itself) => Reflect.construct(target, given.length === 0 ? [now()] : given, itself),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

// Messages, and what other processes write, have the real time: each test begins with it.
beforeEach(() => {
  began = { at: Math.max(RealDate.now(), now() + 1), computed: computedMs() };
});

afterAll(() => {
  globalThis.Date = RealDate;
});
