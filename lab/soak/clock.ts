/**
 * Loaded into a stack before anything else (`--import`): shifts the clock of its process and functions by the ms in the
 * file SOAK_CLOCK, which it reads at the start and at each SIGUSR2. Proxy, queues, schedules and functions see the
 * shifted time; the DynamoDB part, another process, keeps the real one.
 */
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const key = 'soakClock';
const file = process.env.SOAK_CLOCK;
const shared: SharedArrayBuffer = threads.isMainThread ? new SharedArrayBuffer(8) : threads.workerData[key];
const offset = new Float64Array(shared);
const RealDate = Date;
const now = () => RealDate.now() + (offset[0] ?? 0);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

if (threads.isMainThread) {
  const read = () => {
    offset[0] = file === undefined ? 0 : Number(readFileSync(file, 'utf8'));
  };
  read();
  process.on('SIGUSR2', read);
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(script: string | URL, options: threads.WorkerOptions = {}) {
      super(script, {
        ...options,
        execArgv: [...(options.execArgv ?? []), '--import', import.meta.url],
        workerData: { ...options.workerData, [key]: shared },
      });
    }
  };
  syncBuiltinESMExports();
}
