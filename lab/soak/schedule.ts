/** The schedule of a soak, from a seed: when the stack is killed, which faults it meets, and how the clock jumps. */
import type { FaultPlanInput } from '../../infra/emulator/proxy/fault-plan.ts';
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';

export interface Life {
  /** Seconds from the start of the soak. */
  readonly from: number;
  readonly until: number;
  /** What kinds of faults its plan has. */
  readonly names: readonly string[];
  readonly plan: FaultPlanInput;
}

export interface Jump {
  /** Seconds from the start of the soak. */
  readonly at: number;
  /** Seconds; negative for a clock that is set back. */
  readonly by: number;
}

export interface Schedule {
  readonly seconds: number;
  /** One after the other; each but the last ends with `kill -9`. */
  readonly lives: readonly Life[];
  readonly jumps: readonly Jump[];
}

const faults = {
  throttles: [
    { fault: 'throttle', service: 'dynamodb', probability: 0.02 },
    { fault: 'throttle', service: 'sqs', probability: 0.02 },
    { fault: 'throttle', service: 'ses', probability: 0.1 },
    { fault: 'partial', probability: 0.02 },
  ],
  'lost answers': [
    { fault: 'error', probability: 0.01, after: true },
    { fault: 'reset', probability: 0.005 },
    { fault: 'reset', probability: 0.005, after: true },
    { fault: 'conflict', probability: 0.02 },
  ],
  'kills of functions': [
    { fault: 'kill', function: 'deliveries/deliver', probability: 0.01, withinMs: 300 },
    { fault: 'kill', function: 'deliveries/fan-out', probability: 0.02, withinMs: 100 },
    { fault: 'kill', function: 'mail/send', action: 'SendRawEmail', after: true, probability: 0.02 },
    { fault: 'kill', probability: 0.002, withinMs: 200 },
  ],
  messages: [
    { fault: 'duplicate', probability: 0.02 },
    { fault: 'late', probability: 0.05, ms: 3000 },
  ],
} as const satisfies Record<string, FaultPlanInput['faults']>;

const kinds = Object.keys(faults) as (keyof typeof faults)[];
/** The last life is longer, and shows whether memory stays flat. */
const shareOfLastLife = 0.4;
/** Shares of the soak, at least and at most; hours of soak have lives of minutes, too. */
const shareOfLife = [0.12, 0.18] as const;
const maxLifeSeconds = 180;
const shareBetweenJumps = [0.06, 0.12] as const;
const jumps = [30, 120, -20, -60];
/** The clock stays within minutes of the truth, as clocks that are set by NTP do. */
const maxOffset = 240;

/** Returns the schedule of a soak with this length in seconds. */
export const scheduleOf = (seconds: number, seed: number): Schedule => {
  const random = randomNumbers(seed);
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least);
  const lives: Life[] = [];
  for (let from = 0; from < seconds; ) {
    const next = from + Math.min(maxLifeSeconds, seconds * between(shareOfLife));
    const until = next > seconds * (1 - shareOfLastLife) ? seconds : next;
    const shuffled = kinds.map((kind) => [random(), kind] as const).sort(([a], [b]) => a - b);
    const names = shuffled.slice(0, 2 + Math.floor(random() * 2)).map(([, kind]) => kind);
    // Nothing fails in the first life, and its clock runs evenly: what is repeated there has no excuse.
    const isCalm = lives.length === 0;
    const plan = { seed: Math.floor(random() * 1e6), faults: isCalm ? [] : names.flatMap((name) => [...faults[name]]) };
    lives.push({ from, until, names: isCalm ? [] : names, plan });
    from = until;
  }
  const jumped: Jump[] = [];
  let offset = 0;
  for (
    let at = (lives[0]?.until ?? 0) + 5;
    at < seconds;
    at += Math.min(maxLifeSeconds, seconds * between(shareBetweenJumps))
  ) {
    const by = jumps[Math.floor(random() * jumps.length)] ?? 0;
    if (Math.abs(offset + by) > maxOffset) continue;
    offset += by;
    jumped.push({ at, by });
  }
  return { seconds, lives, jumps: jumped };
};
