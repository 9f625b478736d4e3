/** CPU of this process for what it does, beside a bare loop that does as much. */
import { median } from './figures.ts';

/** Makes some requests, and gives how many. */
export type Act = () => Promise<number>;

interface Comparison {
  readonly name: string;
  readonly bare: Act;
  readonly act: Act;
  readonly pairs: number;
  /** In each round. */
  readonly requests: number;
  /** The least share of the bare loop's requests per CPU second, as the median over the pairs. */
  readonly gate: number;
  /** Done before so many acts of a round, and not counted. */
  readonly prepare?: (acts: number) => void;
}

/** Both are compiled by then. */
const warmUps = 6;
/** To ask for the CPU's time takes time itself. */
const actsAtOnce = 20;

/** Runs both in interleaved rounds and prints the figures; gives whether the gate is met. */
export async function compare({ name, bare, act, pairs, requests, gate, prepare }: Comparison): Promise<boolean> {
  const round = (what: Act) => cpuPerRequest(what, requests, prepare);
  for (let warmUp = 0; warmUp < warmUps; warmUp++) {
    await round(bare);
    await round(act);
  }
  const results: { bare: number; own: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // The order changes, so that neither always profits from the other's garbage.
    if (pair % 2 === 0) {
      const first = await round(bare);
      results.push({ bare: first, own: await round(act) });
    } else {
      const first = await round(act);
      results.push({ bare: await round(bare), own: first });
    }
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
}

/** µs of CPU a request, over as many acts as make so many. */
async function cpuPerRequest(act: Act, requests: number, prepare = (_acts: number): void => {}): Promise<number> {
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
}
