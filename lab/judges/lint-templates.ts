/**
 * `npm --prefix lab run lint:templates`: runs cfn-lint, AWS's own linter, on the templates of every deployable stage and of one with every feature on.
 * The first run installs it from PyPI into node_modules/.cache.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenStages } from '../../infra/cdk/chosen-stages.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { emptyBundles, everything } from '../../test/infra/stages.ts';
import { pythonTool } from '../python-tool.ts';

const version = '1.58.0';

/** Rules whose findings are accepted, each with its reason. */
const acknowledged: Readonly<Record<string, string>> = {
  W3005: 'The CDK states dependencies that a reference implies too; CloudFormation ignores the repetition.',
};

/** Lints the templates and returns the exit code. */
const lint = async (): Promise<number> => {
  const bin = pythonTool({ name: 'cfn-lint', version });
  if (bin === undefined) {
    console.log('cfn-lint is skipped.');
    return 0;
  }
  const stages = [...chosenStages(), everything];
  const folder = mkdtempSync(join(tmpdir(), 'masthead-lint-'));
  const bundles = emptyBundles();
  try {
    await synthesize(stages, bundles, { checked: false, outdir: folder });
    const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => join(folder, file));
    const regions = [...new Set(stages.flatMap(({ region }) => region ?? []))];
    const { status, stdout, stderr } = spawnSync(
      join(bin, 'cfn-lint'),
      ['--template', ...templates, '--regions', ...regions, '--ignore-checks', ...Object.keys(acknowledged)],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    console.log(`${stdout}${stderr}`.replaceAll(`${folder}/`, '').trim());
    console.log(`cfn-lint ${version}: ${templates.length} templates of ${stages.map(({ name }) => name).join(', ')}`);
    for (const [rule, reason] of Object.entries(acknowledged)) console.log(`  acknowledged ${rule}: ${reason}`);
    return status ?? 1;
  } finally {
    bundles.remove();
    rmSync(folder, { recursive: true, force: true });
  }
};

await run(
  command('npm --prefix lab run lint:templates --')
    .description(
      'Checks the templates of every stage, and of one with every feature on, with cfn-lint. The first run installs it with Python 3 below node_modules/.cache; without Python nothing is checked.',
    )
    .action(async () => {
      process.exitCode = await lint();
    }),
);
