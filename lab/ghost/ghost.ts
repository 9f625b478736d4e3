/** `npm --prefix lab run ghost`: moves a real Ghost site to a local stack and back, and prints the transcript. */
import { command, run } from '../../infra/command-line/command.ts';
import { playCases } from './cases.ts';
import { installGhost } from './install.ts';

await run(
  command('npm --prefix lab run ghost --')
    .description(
      "Moves a real Ghost site to a local stack and back, and compares every byte that receivers get. Ghost is installed from npm into the user's cache folder; the first time, this takes some minutes and a gigabyte. Skipped where Ghost cannot be installed.",
    )
    .action(async () => {
      const installed = installGhost(console.log);
      if ('missing' in installed) return console.log(`Skipped: Ghost cannot be installed here. ${installed.missing}`);
      const failures = await playCases(installed);
      console.log(failures === 0 ? '\nAll cases hold.' : `\n${failures} checks failed.`);
      process.exitCode = failures === 0 ? 0 : 1;
    }),
);
