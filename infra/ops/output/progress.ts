/** The progress of long work on standard error: a bar on a terminal, and plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** Sets how much is done, and the note shown next to it. */
  update(done: number, note?: string): void;
  stop(): void;
}

/** Least time between two plain lines, in milliseconds. */
const lineEveryMs = 2000;

/** Starts a progress. `unit` names the counted things; without a total only the count is shown. */
export const startProgress = (unit: string, total?: number, stream = process.stderr): Progress => {
  if (!stream.isTTY)
    return lines((done) => (total === undefined ? `${done} ${unit}` : `${done} of ${total} ${unit}`), stream);
  const format =
    total === undefined
      ? `{value} ${unit}  {duration_formatted}`
      : `{bar} {percentage}%  {value} of {total} ${unit}  {eta_formatted} left`;
  return bar(format, total ?? 0, stream);
};

/** Starts a progress bar for which only the percentage is known; the note says what is done. */
export const startPercent = (stream = process.stderr): Progress =>
  stream.isTTY
    ? bar('{bar} {percentage}%  {note}', 100, stream)
    : lines((percent, note) => `${percent} %: ${note}`, stream);

const bar = (format: string, total: number, stream: NodeJS.WriteStream): Progress => {
  const single = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
  single.start(total, 0, { note: '' });
  return {
    update: (done, note = '') => single.update(done, { note }),
    stop: () => single.stop(),
  };
};

const lines = (lineOf: (done: number, note: string) => string, stream: NodeJS.WriteStream): Progress => {
  let printed = performance.now();
  return {
    update(done, note = '') {
      if (performance.now() - printed < lineEveryMs) return;
      printed = performance.now();
      stream.write(`${lineOf(done, note)}\n`);
    },
    stop: () => undefined,
  };
};
