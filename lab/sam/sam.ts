/**
 * `npm --prefix lab run sam`: runs functions in AWS's image with SAM, on the template that `npm run synth` writes and against the local stack: a
 * webhook, an invite and a delivery with `sam local invoke`, and one request through `sam local start-api`. It needs Docker.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { bundleFunctions } from '../../infra/cdk/bundle.ts';
import { chosenStages } from '../../infra/cdk/chosen-stages.ts';
import { physicalName } from '../../infra/cdk/names.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { command, run } from '../../infra/command-line/command.ts';
import { eventually } from '../../infra/local/demo/eventually.ts';
import { startWorkbench } from '../../infra/local/invoke/workbench.ts';

const templateSchema = v.object({
  Resources: v.record(v.string(), v.looseObject({ Type: v.string(), Properties: v.optional(v.looseObject({})) })),
  Parameters: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** What each function must answer. */
const invoked = {
  'webhooks/create': '"statusCode":201',
  'invites/create': '"statusCode":201',
  'deliveries/deliver': '"batchItemFailures":[]',
} as const;
const port = '3000';

/** Joins the templates of the stage `local`, as docs/sam.md does, and gives each function the environment that the local stack gives it. */
const joined = (folder: string, environmentOf: (name: string) => Readonly<Record<string, string>>): string => {
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
  writeFileSync(
    file,
    JSON.stringify({ Resources, Parameters: Object.assign({}, ...templates.map(({ Parameters }) => Parameters)) }),
  );
  return file;
};

const runSam = async (): Promise<void> => {
  const [config] = chosenStages('local');
  if (config === undefined) return;
  // Docker must reach it, and the templates find the bundles by paths below it.
  const outdir = mkdtempSync(join(process.cwd(), 'sam-'));
  await synthesize([config], await bundleFunctions(), { checked: false, outdir });
  const workbench = await startWorkbench();
  try {
    const environmentOf = (name: string) => workbench.bundleOf(name).environment;
    const template = joined(join(outdir, 'assembly-local'), environmentOf);
    // Containers reach the local stack, which listens on loopback only.
    const network = ['--docker-network', 'host'];
    for (const [name, expected] of Object.entries(invoked)) {
      const event = join(outdir, 'event.json');
      writeFileSync(event, JSON.stringify(await workbench.sampleOf(name)));
      const args = ['local', 'invoke', '-t', template, '-e', event, ...network, physicalName(config, name)];
      const { stdout, stderr } = spawnSync('sam', args, {
        encoding: 'utf8',
        env: { ...process.env, ...environmentOf(name) },
      });
      if (!stdout.replaceAll(' ', '').includes(expected))
        throw new Error(`sam ${args.join(' ')}\n${stdout}\n${stderr}`);
      console.log(`✓ sam local invoke ${physicalName(config, name)}: ${expected}`);
    }
    const api = spawn('sam', ['local', 'start-api', '-t', template, '--port', port, ...network], {
      stdio: 'inherit',
      env: { ...process.env, ...environmentOf('site/read') },
    });
    try {
      const answer = await eventually('sam local start-api to answer', () =>
        fetch(`http://127.0.0.1:${port}${config.basePath}/admin/site/`).catch(() => undefined),
      );
      if (answer.status !== 200) throw new Error(`GET /admin/site/ through sam local start-api: ${answer.status}`);
      console.log('✓ sam local start-api: GET /admin/site/ is 200');
    } finally {
      api.kill();
    }
  } finally {
    await workbench.stop();
  }
};

await run(
  command('npm --prefix lab run sam --')
    .description(
      'Runs a webhook, an invite and a delivery with `sam local invoke`, and one request with `sam local start-api`, in AWS’s image and against a stack on this machine. It needs Docker and the SAM command line.',
    )
    .action(async () => {
      if (spawnSync('docker', ['info']).status !== 0 || spawnSync('sam', ['--version']).status !== 0) {
        console.log('SAM is skipped: this machine has no Docker or no SAM command line.');
        return;
      }
      await runSam();
    }),
);
