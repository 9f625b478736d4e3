/** Compares the CPU of this process with that of a bare loop with the same number of requests. */
import { median } from './statistics.ts';

/** Returns µs of CPU per request. */
const cpuPerRequest = async (act: Act, requests: number, prepare = (_acts: number): void => {}): Promise<number> => {
  let used = 0;
  let made = 0;
  while (made < requests) {
    prepare(actsAtOnce);
    const before = process.cpuUsage();
    for (let acts = 0; acts < actsAtOnce; acts++) made += await act();
    const { user, system } = process.cpuUsage(before);
    used += user + system;
  }
  return used / made;
};

/** Makes some requests, and returns their number. */
export type Act = () => Promise<number>;

interface Comparison {
  readonly bare: Act;
  /** The others, by name. */
  readonly acts: Readonly<Record<string, Act>>;
  readonly pairs: number;
  /** In each round. */
  readonly requests: number;
  /** Requests before each round that are not counted. */
  readonly prepare?: (acts: number) => void;
}

/** Medians of the pairs. */
export interface Compared {
  /** µs of CPU per request. */
  readonly bareMicros: number;
  readonly micros: (name: string) => number;
  /** The share of the bare loop's requests per CPU second. */
  readonly share: (name: string) => number;
  /** µs of CPU per request, and share of the bare loop's requests per CPU second, of the first one above those of the second. */
  readonly added: (name: string, base: string) => { readonly micros: number; readonly share: number };
}

/** Warm-up, after which all are compiled. */
const warmUps = 6;
/** Reading the CPU time takes time itself. */
const actsAtOnce = 20;

/**
 * Runs all in interleaved rounds. A pair is bare, own, own, bare, with others in the same way between them: the second of two rounds is
 * slower, because it collects the garbage of the first. (Where the order alternated from pair to pair, there were two kinds of
 * pairs, ten points apart, and the median was that of the kind with one pair more.)
 */
export const compare = async ({ bare, acts, pairs, requests, prepare }: Comparison): Promise<Compared> => {
  const order = Object.entries({ bare, ...acts });
  const round = (what: Act) => cpuPerRequest(what, requests, prepare);
  for (let warmUp = 0; warmUp < warmUps; warmUp++) for (const [, act] of order) await round(act);
  const results: ((name: string) => number)[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const sums = new Map<string, number>();
    for (const [name, act] of [...order, ...order.toReversed()])
      sums.set(name, (sums.get(name) ?? 0) + (await round(act)));
    results.push((name) => (sums.get(name) ?? Number.NaN) / 2);
  }
  const over = (figure: (of: (name: string) => number) => number): number => median(results.map(figure));
  return {
    bareMicros: over((of) => of('bare')),
    micros: (name) => over((of) => of(name)),
    share: (name) => over((of) => of('bare') / of(name)),
    added: (name, base) => ({
      micros: over((of) => of(name) - of(base)),
      share: over((of) => of('bare') / of(name) - of('bare') / of(base)),
    }),
  };
};

/** Formats µs of CPU. */
export const inMicros = (value: number): string => `${value.toFixed(1)} µs`;

/** Formats a share, or a difference of two, in percent. */
export const inPercent = (share: number): string => `${(share * 100).toFixed(1)} %`;
