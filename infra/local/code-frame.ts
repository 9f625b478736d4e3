/** Shows where an error was thrown: file, line, and the lines around it. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../cdk/root.ts';

const around = 2;

/** Returns a stack trace's first place in our code, with its lines; else empty. @param stack with `file:` URLs */
export const codeFrame = (stack: string): string => {
  for (const [, url = '', line = '', column = ''] of stack.matchAll(/(file:[^\s"()]*?):(\d+):(\d+)/g)) {
    const file = fileURLToPath(url);
    const place = relative(root, file);
    if (place.startsWith('..') || place.includes('node_modules') || !existsSync(file)) continue;
    return [`${place}:${line}:${column}`, ...linesAround(file, Number(line), Number(column))].join('\n');
  }
  return '';
};

const linesAround = (file: string, line: number, column: number): string[] => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const first = Math.max(1, line - around);
  const width = String(line + around).length;
  return lines.slice(first - 1, line + around).flatMap((text, at) => {
    const shown = `${first + at === line ? '>' : ' '} ${String(first + at).padStart(width)} | ${text}`;
    return first + at === line ? [shown, `${' '.repeat(width + 3)}| ${' '.repeat(column - 1)}^`] : [shown];
  });
};
