/** Compares the CPU time of code in this process with that of a bare loop making the same number of requests. */
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

/** Makes some requests and returns how many. */
export type Act = () => Promise<number>;

interface Comparison {
  readonly bare: Act;
  /** The code to compare with the bare loop, by name. */
  readonly acts: Readonly<Record<string, Act>>;
  readonly pairs: number;
  /** Requests in each round. */
  readonly requests: number;
  /** Makes requests before each round that are not counted. */
  readonly prepare?: (acts: number) => void;
}

/** The medians of all pairs of rounds. */
export interface Compared {
  /** µs of CPU per request. */
  readonly bareMicros: number;
  readonly micros: (name: string) => number;
  /** Requests per CPU second, as a share of the bare loop's. */
  readonly share: (name: string) => number;
  /** How much `name` adds to `base`: µs of CPU per request, and the difference of their shares. */
  readonly added: (name: string, base: string) => { readonly micros: number; readonly share: number };
}

/** Warm-up rounds, after which V8 has compiled everything. */
const warmUps = 6;
/** Measured together, because reading the CPU time takes time itself. */
const actsAtOnce = 20;

/**
 * Runs everything in interleaved rounds. A pair runs in mirrored order: bare, own, own, bare. The second of two equal rounds is slower because it
 * collects the garbage of the first; mirroring cancels that out. With alternating order the pairs fell into two groups ten points apart, and the
 * median depended on which group had one pair more.
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
