/**
 * `npm --prefix lab run sam`: prepares what SAM needs to run functions in AWS's image without an account (docs/sam.md):
 * a local stack, one template of the stage `local` with that stack's environment, and events for three functions.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { bundleFunctions } from '../../infra/cdk/bundle.ts';
import { chosenStages } from '../../infra/cdk/chosen-stages.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { startWorkbench } from '../../infra/local/invoke/workbench.ts';
import { pythonTool } from '../python-tool.ts';

const templateSchema = v.object({
  Resources: v.record(v.string(), v.looseObject({ Type: v.string(), Properties: v.optional(v.looseObject({})) })),
  Parameters: v.optional(v.record(v.string(), v.unknown()), {}),
});

const version = '1.170.0';
/** Below the project, because SAM finds the bundles by paths beside the template, and Docker must reach them. */
const folder = join(import.meta.dirname, '../../cdk.out/sam');
/** The functions that docs/sam.md invokes. */
const invoked = ['webhooks/create', 'invites/create', 'deliveries/deliver'];

type EnvironmentOf = (name: string) => Readonly<Record<string, string>>;

const writeTemplate = (environmentOf: EnvironmentOf): string => {
  const templates = readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => v.parse(templateSchema, JSON.parse(readFileSync(join(folder, file), 'utf8'))));
  const functions = v.looseObject({ Description: v.string() });
  const Resources = Object.fromEntries(
    templates.flatMap((template) =>
      Object.entries(template.Resources).map(([id, resource]) => {
        if (resource.Type !== 'AWS::Lambda::Function') return [id, resource];
        const properties = v.parse(functions, resource.Properties);
        const name = properties.Description.replace(/^functions\/(.*)\.ts$/, '$1');
        // The bundles are JavaScript, which runs on the processor of this machine too.
        const own = {
          Architectures: [process.arch === 'arm64' ? 'arm64' : 'x86_64'],
          Environment: { Variables: environmentOf(name) },
        };
        return [id, { ...resource, Properties: { ...properties, ...own } }];
      }),
    ),
  );
  const file = join(folder, 'sam.json');
  const Parameters = Object.assign({}, ...templates.map((template) => template.Parameters));
  // W3005: the CDK states dependencies that references imply too. W2001: the environment replaces the parameters.
  const Metadata = { 'cfn-lint': { config: { ignore_checks: ['W2001', 'W3005'] } } };
  writeFileSync(file, JSON.stringify({ AWSTemplateFormatVersion: '2010-09-09', Metadata, Parameters, Resources }));
  return file;
};

const synthesizeLocal = async (): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  await synthesize(chosenStages('local'), await bundleFunctions(), { checked: false, outdir: folder });
};

const prepare = async (): Promise<void> => {
  await synthesizeLocal();
  const workbench = await startWorkbench();
  try {
    writeTemplate((name) => workbench.bundleOf(name).environment);
    for (const name of invoked)
      writeFileSync(
        join(folder, `${name.replace('/', '-')}.event.json`),
        JSON.stringify(await workbench.sampleOf(name)),
      );
    writeFileSync(join(folder, 'ready'), '');
    console.log('The template and the events are in cdk.out/sam. Ctrl-C ends the stack.');
    await Promise.race([
      new Promise((resolve) => process.once('SIGINT', resolve)),
      new Promise((resolve) => process.once('SIGTERM', resolve)),
    ]);
  } finally {
    await workbench.stop();
  }
};

/** Checks the template as far as SAM can without Docker. Returns the exit code. */
const validate = async (): Promise<number> => {
  const bin = pythonTool({ name: 'aws-sam-cli', version });
  if (bin === undefined) return 0;
  await synthesizeLocal();
  const file = writeTemplate(() => ({}));
  const { status } = spawnSync(join(bin, 'sam'), ['validate', '--lint', '--template', file], {
    stdio: 'inherit',
    env: { ...process.env, SAM_CLI_TELEMETRY: '0', AWS_DEFAULT_REGION: 'eu-central-1' },
  });
  return status ?? 1;
};

await run(
  command('npm --prefix lab run sam --')
    .description(
      'Prepares what `sam local` needs to run functions in AWS’s image on this machine, by the commands of ' +
        'docs/sam.md: starts a stack in memory, and writes a template and events to cdk.out/sam. Ends with Ctrl-C.',
    )
    .option('--validate', `Only check the template with SAM ${version} from PyPI, which needs no Docker.`, false)
    .action(async ({ validate: only }) => {
      if (only) process.exitCode = await validate();
      else await prepare();
    }),
);
