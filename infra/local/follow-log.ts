/** Reports the lines that are appended to a log. */
import { appendFileSync, closeSync, fstatSync, openSync, readSync, watch } from 'node:fs';

/** Calls `report` with each line that is written from now on. The file is created if it is absent. */
export const followLog = (file: string, report: (line: string) => void): { stop(): Promise<void> } => {
  appendFileSync(file, '');
  const opened = openSync(file, 'r');
  const decoder = new TextDecoder();
  let position = fstatSync(opened).size;
  let unfinished = '';
  const read = () => {
    const { size } = fstatSync(opened);
    if (size < position) position = 0;
    const bytes = Buffer.alloc(size - position);
    position += readSync(opened, bytes, 0, bytes.length, position);
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) report(line);
  };
  const watcher = watch(file, read);
  return {
    async stop() {
      watcher.close();
      read();
      closeSync(opened);
    },
  };
};
