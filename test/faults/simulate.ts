/**
 * `npm run simulate -- [--deliveries 100000] [--seed 1] [--killed 0.1] [--doubled 0.05] [--throttled 0.05] [--failing 0.1]
 * [--outage 40]`: the delivery engine as it is, in a simulated world of bad weather. Prints what came of it, and fails where anything was lost or delivered again.
 */
import '../support/simulation/replace.ts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    killed: { type: 'string', default: '0.1' },
    doubled: { type: 'string', default: '0.05' },
    throttled: { type: 'string', default: '0.05' },
    failing: { type: 'string', default: '0.1' },
    outage: { type: 'string', default: '40' },
  },
});
const { storm } = await import('./storm.ts');
const seed = Number(values.seed);
const began = performance.now();
const { examples, ...report } = await storm({
  seed,
  deliveries: Number(values.deliveries),
  killed: Number(values.killed),
  doubled: Number(values.doubled),
  throttled: Number(values.throttled),
  failing: Number(values.failing),
  outageMinutes: Number(values.outage),
});
console.log(JSON.stringify({ seed, ...report, seconds: Math.round((performance.now() - began) / 1000) }));
for (const example of examples) console.log(example);
if (report.lost > 0 || report.again > 0) process.exitCode = 1;
