/** `npm --prefix lab run ghost`: moves a real Ghost site to a local stack and back, and prints the transcript. */
import { command, run } from '../../infra/command-line/command.ts';
import { playApps } from './apps.ts';
import { playCases } from './cases.ts';
import { installGhost } from './install.ts';
import { playSituations } from './situations.ts';

await run(
  command('npm --prefix lab run ghost --')
    .description(
      'Moves a real Ghost site to a local stack and back, and compares every byte that receivers get. Ghost is ' +
        "installed from npm into the user's cache folder; the first time, this takes some minutes and a gigabyte. " +
        'Skipped where Ghost cannot be installed.',
    )
    .option('--situations [text]', 'Play situations that people meet instead, or those whose title has the text.')
    .option('--apps', 'Send a stack what apps for Ghost ask instead.')
    .action(async ({ apps, situations }) => {
      if (apps) return playApps();
      const installed = installGhost(console.log);
      if ('missing' in installed) return console.log(`Skipped: Ghost cannot be installed here. ${installed.missing}`);
      const failures =
        situations === undefined
          ? await playCases(installed)
          : await playSituations(installed, situations === true ? '' : situations);
      console.log(failures === 0 ? '\nAll cases hold.' : `\n${failures} checks failed.`);
      process.exitCode = failures === 0 ? 0 : 1;
    }),
);
