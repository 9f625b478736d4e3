/** `npm run ops -- <command>`: the operator's command line. */
import { run } from '../command-line/command.ts';
import { endAtInterrupt } from './output/interrupt.ts';
import { ops } from './program.ts';

endAtInterrupt();
await run(ops, process.argv.slice(2), { endsWithReader: true });
