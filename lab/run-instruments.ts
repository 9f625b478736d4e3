/** Runs instruments, and prints a line for each: what it is, how long it took, and whether it worked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Instrument } from './instruments.ts';

const outputOf = async ({ script, args = [] }: Instrument): Promise<{ code: number | null; output: string }> => {
  const child = spawn('npm', ['--prefix', import.meta.dirname, 'run', '-s', script, '--', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = await once(child, 'close');
  return { code, output };
};

interface Options {
  /** Whether an exit code other than 0 is a failure too. */
  readonly mustPass: boolean;
  readonly atATime: number;
}

/** Runs the instruments and returns whether all of them work. */
export const runInstruments = async (
  instruments: readonly Instrument[],
  { mustPass, atATime }: Options,
): Promise<boolean> => {
  const waiting = [...instruments];
  let areWell = true;
  const lane = async (): Promise<void> => {
    const instrument = waiting.shift();
    if (instrument === undefined) return;
    const began = performance.now();
    const { code, output } = await outputOf(instrument);
    const works = instrument.prints.test(output) && (code === 0 || !mustPass);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const skipped = /^.*\bskipped\b.*$/im.exec(output)?.[0];
    const line = [instrument.script, ...(instrument.args ?? [])].join(' ');
    console.log(`${works ? '✓' : '✗'} ${line}  ${seconds} s${skipped === undefined ? '' : `  ${skipped}`}`);
    if (!works) console.error(output);
    areWell &&= works;
    await lane();
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return areWell;
};
