/** The progress of long work on standard error: a bar on a terminal, and plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** Sets how much is done. */
  update(done: number): void;
  /** Ends the bar. */
  stop(): void;
}

/** Least time between two plain lines, in milliseconds. */
const lineEveryMs = 2000;

/** Starts a progress. `unit` is what is counted; without a total only the count is shown. */
export const startProgress = (unit: string, total?: number, stream = process.stderr): Progress =>
  stream.isTTY ? bar(unit, total, stream) : lines(unit, total, stream);

const bar = (unit: string, total: number | undefined, stream: NodeJS.WriteStream): Progress => {
  const format =
    total === undefined
      ? `{value} ${unit}  {duration_formatted}`
      : `{bar} {percentage}%  {value} of {total} ${unit}  {eta_formatted} left`;
  const single = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
  single.start(total ?? 0, 0);
  return {
    update: (done) => single.update(done),
    stop: () => single.stop(),
  };
};

const lines = (unit: string, total: number | undefined, stream: NodeJS.WriteStream): Progress => {
  const of = total === undefined ? '' : ` of ${total}`;
  let printed = performance.now();
  return {
    update(done) {
      if (performance.now() - printed < lineEveryMs) return;
      printed = performance.now();
      stream.write(`${done}${of} ${unit}\n`);
    },
    stop: () => undefined,
  };
};
