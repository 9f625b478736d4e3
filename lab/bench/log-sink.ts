/** A process that reads and discards the log of a benchmark, as Lambda's log collector reads the pipe of a function. */
import { spawn } from 'node:child_process';

interface LogSink {
  /** What was written so far. */
  readonly written: { calls: number; bytes: number };
  /** Restores standard output. */
  readonly close: () => void;
}

/** Sends everything that this process writes to its standard output to the pipe of another process. */
export const startLogSink = (): LogSink => {
  const reader = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] });
  const written = { calls: 0, bytes: 0 };
  const { write } = process.stdout;
  process.stdout.write = (text: string | Uint8Array): boolean => {
    written.calls++;
    written.bytes += text.length;
    return reader.stdin.write(text);
  };
  return {
    written,
    close: () => {
      process.stdout.write = write;
      reader.stdin.end();
    },
  };
};
