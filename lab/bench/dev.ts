/**
 * Measures `npm run dev` from outside: the time from saving a file to the first response from its new code, with six functions in use. Each save
 * follows right after the previous response, so that a shared file is saved while other functions are still being replaced. The gate is one second.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { command, run, wholeNumber } from '../../infra/command-line/command.ts';
import { runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { copyProject } from '../../test/support/project-copy.ts';

const limitMs = 1000;

/** The files to edit: one function, and a file that the bundle of every endpoint contains. */
const edits = [
  {
    file: 'functions/config/read.ts',
    from: 'configOf(settings())',
    to: '{ ...configOf(settings()), edited: {round} }',
  },
  {
    file: 'shared/http/response.ts',
    from: 'status: 200,\n  body,',
    to: 'status: 200,\n  body: { ...body, edited: {round} },',
  },
];

const measure = async (saves: number): Promise<void> => {
  const home = temporaryHome();
  const project = copyProject();
  const running = await runStack(home.folder, ['--memory'], {}, 'dev/dev.ts', project.copy);
  const read = async (): Promise<string> =>
    (await running.call('GET', '/admin/config/', { key: running.stack.adminKey })).text;
  // Different for each save: no response of an earlier one counts.
  let marker = 1000;
  try {
    await read();
    for (const noun of ['roles', 'site', 'users', 'invites', 'deliveries'])
      await running.call('GET', `/admin/${noun}/`, { key: running.stack.adminKey });
    for (const { file, from, to } of edits) {
      const path = join(project.copy, file);
      const original = readFileSync(path, 'utf8');
      if (!original.includes(from)) throw new Error(`${file} has no ${from} to edit.`);
      const took: number[] = [];
      for (let round = 1; round <= saves; round++) {
        marker += 1;
        writeFileSync(
          path,
          original.replace(from, () => to.replace('{round}', String(marker))),
        );
        const saved = performance.now();
        while (!(await read()).includes(`"edited":${marker}`)) await wait(20);
        took.push(performance.now() - saved);
      }
      writeFileSync(path, original);
      console.log(
        `${file}: ms from save to response: ${took.map((ms) => ms.toFixed(0)).join(', ')} (gate: each below ${limitMs})`,
      );
      if (Math.max(...took) >= limitMs) process.exitCode = 1;
    }
  } finally {
    await running.end('SIGTERM');
    home.remove();
    project.remove();
  }
};

await run(
  command('npm --prefix lab run bench:dev --')
    .description(
      `Measures the milliseconds from saving a file to the first response of its new code under npm run dev, for two files of a copy of the project. Fails if one takes ${limitMs} ms or more.`,
    )
    .argument('[saves]', 'Saves of each file.', wholeNumber('<saves>'), 10)
    .action(measure),
);
