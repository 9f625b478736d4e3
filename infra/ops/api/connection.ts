/** Which stage a command calls, and with which key: `--stage`, `--url`, `--key-file`, and the variables beside them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { physicalName } from '../../cdk/names.ts';
import { isPackage } from '../../cdk/root.ts';
import type { Caller } from '../../command-line/client.ts';
import { command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { textOf } from '../../command-line/file-at.ts';
import { baseUrlIn, keyOfEnvironment, keyPattern } from '../../command-line/key-and-url.ts';
import { findHome, readStackFile } from '../../local/home.ts';
import { configOf, stageNames, stageOption } from '../stage-of.ts';

export const environment = {
  MASTHEAD_KEY: 'The Admin API key, <id>:<secret>, instead of --key-file.',
  MASTHEAD_STAGE: 'The stage, if neither --stage nor --url is given.',
} as const;

/** Returns a command that calls a stage's API and has its own output. Its options are those of `Connection`. */
export const stageCommand = (name: string) =>
  command(name)
    .addOption(
      stageOption(stageNames)
        .default('local', isPackage ? 'none' : undefined)
        .helpGroup('Connection:'),
    )
    .addOption(
      new Option('--url <url>', 'Base URL of the API, instead of a stage of infra/cdk/stages.ts.')
        .argParser(baseUrlIn('--url'))
        .helpGroup('Connection:'),
    )
    .addOption(
      new Option(
        '--key-file <file>',
        'File with the key, <id>:<secret>, or the one that seed wrote (default: ' +
          'MASTHEAD_KEY, the file of seed, or the Owner of the local stack).',
      ).helpGroup('Connection:'),
    );

/** Returns such a command that prints the API's objects. */
export const apiCommand = (name: string) =>
  stageCommand(name).addOption(
    new Option('--json', "Print the API's objects: one JSON document, or one line each in lists.").helpGroup('Output:'),
  );

/** The option of lists, which is in the place of `--json`. */
export const csvOption = () =>
  new Option('--csv', 'Print CSV, which a spreadsheet can open.').conflicts('json').helpGroup('Output:');

export interface Connection {
  readonly stage: string;
  readonly url?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly json?: true | undefined;
  readonly csv?: true | undefined;
}

/** Returns the stage's base URL and the signing key. @throws UsageError without a key, Error if the stage has no URL */
export const connect = async ({ stage, url, keyFile }: Connection): Promise<Caller> => {
  const given = keyFile === undefined ? keyOfEnvironment() : keyIn(keyFile, '--key-file');
  if (url === undefined && stage === 'local') {
    if (isPackage) throw new UsageError('No stage: name it with --stage or MASTHEAD_STAGE, or its URL with --url.');
    const { baseUrl, adminKey } = readStackFile(findHome());
    return { baseUrl, key: given ?? adminKey };
  }
  const seeded = join(findHome().folder, `owner-${stage}.json`);
  const key = given ?? (url === undefined && existsSync(seeded) ? keyIn(seeded, 'The file of seed') : undefined);
  if (key === undefined)
    throw new UsageError(
      'No key: set MASTHEAD_KEY, or name a file with --key-file. It must be a key of the Owner or an Administrator.',
    );
  return { baseUrl: url ?? (await urlOf(stage)), key };
};

const ownerFile = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ key: v.object({ id: v.string(), secret: v.string() }) }),
  v.transform(({ key }) => `${key.id}:${key.secret}`),
);

/** Reads a key from a file: its text, or the JSON that `ops seed` writes. */
const keyIn = (file: string, what: string): string => {
  const text = textOf(file, what).trim();
  const owner = v.safeParse(ownerFile, text);
  const key = owner.success ? owner.output : text;
  // Never the content: it may be a secret of another kind.
  if (!keyPattern.test(key)) throw new UsageError(`${what} ${file} does not hold a key of the form <id>:<secret>.`);
  return key;
};

/** Reads the output `Url` of the stack `api`, with the AWS credentials of the profile. */
const urlOf = async (stage: string): Promise<string> => {
  const config = await configOf(stage);
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({ ...(config.region !== null && { region: config.region }) });
  const StackName = physicalName(config, 'api');
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName })).catch((error: Error) => {
    throw new Error(
      `The URL of ${stage} cannot be read from the stack ${StackName}: ${error.name}: ${error.message}\n` +
        'Name it with --url, which needs no AWS credentials.',
      { cause: error },
    );
  });
  const url = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'Url')?.OutputValue;
  if (url === undefined) throw new Error(`The stack ${StackName} has no output Url. Name the URL with --url.`);
  return url.replace(/\/+$/, '');
};
