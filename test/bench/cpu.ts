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
  readonly name: string;
  readonly bare: Act;
  readonly act: Act;
  readonly pairs: number;
  /** In each round. */
  readonly requests: number;
  /** The minimum share of the bare loop's requests per CPU second, as the median of the pairs. */
  readonly gate: number;
  /** Requests before each round that are not counted. */
  readonly prepare?: (acts: number) => void;
}

/** Warm-up, after which both are compiled. */
const warmUps = 6;
/** Reading the CPU time takes time itself. */
const actsAtOnce = 20;

/**
 * Runs both in interleaved rounds and prints the figures; returns whether the gate is met. A pair is bare, own, own, bare: the second of two
 * rounds is slower, because it collects the garbage of the first. (Where the order alternated from pair to pair, there were two kinds of
 * pairs, ten points apart, and the median was that of the kind with one pair more.)
 */
export const compare = async ({ name, bare, act, pairs, requests, gate, prepare }: Comparison): Promise<boolean> => {
  const round = (what: Act) => cpuPerRequest(what, requests, prepare);
  for (let warmUp = 0; warmUp < warmUps; warmUp++) {
    await round(bare);
    await round(act);
  }
  const results: { bare: number; own: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const first = await round(bare);
    const own = ((await round(act)) + (await round(act))) / 2;
    results.push({ bare: (first + (await round(bare))) / 2, own });
  }
  const ratio = median(results.map((result) => result.bare / result.own));
  const micros = (value: number) => `${value.toFixed(1)} µs`;
  console.log(
    `bare undici ${micros(median(results.map((result) => result.bare)))}, ${name} ${micros(median(results.map(({ own }) => own)))} of CPU a request`,
  );
  console.log(
    `${name} posts ${(ratio * 100).toFixed(0)} % as many requests per CPU second (median of ${pairs} pairs, gate ${gate * 100} %)`,
  );
  return ratio >= gate;
};
