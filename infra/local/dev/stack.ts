/** Runs the stage `local` for `npm run dev`, and replaces each function whose code changes, without a restart. */
import { enableCompileCache } from 'node:module';
import { compileCache } from '../../emulator/lambda/compile-cache.ts';

// Before all other modules, as `npm start` does.
enableCompileCache(compileCache);
const { run } = await import('../../command-line/command.ts');
const { runStack, stackCommand } = await import('../run-stack.ts');
const { follow } = await import('./follow.ts');

await run(
  stackCommand('npm run dev --')
    .description(
      'Runs Masthead on this machine until Ctrl-C, as npm start does, and replaces each function within a second ' +
        'after its code was saved. When the contract, a template or the local stack changes, the stack starts ' +
        'again. Code that does not compile or load is reported, and the version before stays in use.',
    )
    .action((options) => runStack(options, (stack, stop) => follow(stack, stop, options.json))),
);
