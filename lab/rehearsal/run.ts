/** Runs the CDK's command line and `ops` as an operator does, against the endpoint of the rehearsal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { region } from './stage.ts';

const root = join(import.meta.dirname, '../..');

/** Settings of the AWS SDKs that lead to the endpoint; nothing of the operator's own profile remains. */
export const environmentAt = (endpoint: string, home: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name))),
  AWS_ENDPOINT_URL: endpoint,
  // The address of templates in requests to CloudFormation, which moto reads as AWS's.
  AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: `https://s3.${region}.amazonaws.com`,
  AWS_ACCESS_KEY_ID: 'rehearsal',
  AWS_SECRET_ACCESS_KEY: 'rehearsal',
  AWS_REGION: region,
  // Of nobody: moto has no API of a stage.
  MASTHEAD_KEY: `${'0'.repeat(24)}:${'0'.repeat(64)}`,
  AWS_EC2_METADATA_DISABLED: 'true',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  CDK_HOME: home,
  MASTHEAD_HOME: join(home, 'home'),
  HOME: home,
  CI: 'true',
  NO_COLOR: '1',
});

const programs = { cdk: 'node_modules/aws-cdk/bin/cdk', ops: 'infra/ops/ops.ts' } as const;

/** A command as an operator types it: `npm run cdk -- …` or `npm run ops -- …`; in a team's app `npx cdk …`. */
export interface Command {
  readonly program: keyof typeof programs;
  readonly args: readonly string[];
  /** The folder of the package, whose command runs instead of the repository's. */
  readonly installed?: string;
  readonly mayFail?: boolean;
}

/** Runs a command and returns what it printed. @throws Error with the output if it fails */
export const runCommandLine = async (
  environment: NodeJS.ProcessEnv,
  { program, args, installed, mayFail = false }: Command,
): Promise<string> => {
  const file =
    installed === undefined || program === 'cdk' ? join(root, programs[program]) : join(installed, 'lib/js/ops.js');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: root,
    env: environment,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = await once(child, 'close');
  if (code !== 0 && !mayFail) throw new Error(`${program} ${args.join(' ')} ended with code ${code}:\n${output}`);
  return output;
};
