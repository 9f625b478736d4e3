/** `npm run ops -- import-ghost`: moves the webhooks of a Ghost site to a stage, and back. */
import { setTimeout } from 'node:timers/promises';
import { Option } from '@commander-js/extra-typings';
import { isLoopback } from '../../shared/integrations/relay/import-command.ts';
import { command, sections } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-codes.ts';
import { textOf } from '../command-line/file-at.ts';
import { print } from '../command-line/print.ts';
import { findHome, readStackFile } from '../local/home.ts';
import type { Import } from './ghost/facts.ts';
import { ghostSite } from './ghost/ghost-site.ts';
import { applyImport, checkImport, showImport, undoImport } from './ghost/import.ts';
import { openRecord, siteUrlOf } from './ghost/record.ts';
import { stageApi } from './ghost/stage.ts';
import { agrees } from './output/confirm.ts';

const siteUrl = (text: string): string => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return siteUrlOf(text);
  throw new UsageError(`--from is '${text}'; it must be the URL of a Ghost site, such as https://blog.example.`);
};

/** Returns Ghost's token of the Owner or an Administrator. No argument: other users of the machine can read those. */
const staffToken = (file: string | undefined): string => {
  const { GHOST_TOKEN = '' } = process.env;
  const [what, token] =
    file === undefined ? ['GHOST_TOKEN', GHOST_TOKEN] : ['--token-file', textOf(file, '--token-file').trim()];
  if (/^[0-9a-f]{24}:[0-9a-f]{64}$/.test(token)) return token;
  if (file === undefined && token === '')
    throw new UsageError('No token: set GHOST_TOKEN, or name a file with --token-file.');
  throw new UsageError(`${what} must be a staff access token, <24 hex characters>:<64 hex characters>.`);
};

const collected = (name: string, names: readonly string[] = []): readonly string[] => [...names, name];

export const importGhost = command('import-ghost')
  .summary('Moves the webhooks of a Ghost site to a stage, and back.')
  .description(
    'Moves the webhooks of a Ghost site to a stage, and back. ' +
      'Without --apply it shows what it would do, and changes nothing.\n\n' +
      'Nothing is removed at Ghost before an event of the site has arrived through the relay. ' +
      'Between --apply and --switch receivers get each event from Ghost and from Masthead; ' +
      'use both together unless you want to compare. It can be stopped at any time and run again. ' +
      'The stage keeps the record, so any machine can continue or undo it. docs/ghost.md explains it.',
  )
  .requiredOption('--from <url>', 'URL of the Ghost site, such as https://blog.example.', siteUrl)
  .option(
    '--token-file <file>',
    'File with the staff access token of the Owner or an Administrator at Ghost (default: GHOST_TOKEN).',
  )
  .option('--url <url>', 'Base URL of the stage, which Ghost must reach (default: the running local stack).')
  .option('--apply', 'Create the webhooks here, and a relay webhook for each event at Ghost.', false)
  .option('--switch', 'With --apply: then remove the imported webhooks at Ghost.', false)
  .option(
    '--include <name>',
    'Also move the webhooks of a built-in integration, such as Zapier; can be repeated.',
    collected,
  )
  .addOption(
    new Option('--undo', 'Restore the webhooks at Ghost, and delete what was created.').conflicts(['apply', 'switch']),
  )
  .addOption(
    new Option('--check', 'Show for each receiver who sends to it, and what is wrong.').conflicts([
      'apply',
      'switch',
      'undo',
    ]),
  )
  .addHelpText(
    'after',
    sections({
      environment: {
        GHOST_TOKEN:
          'The staff access token of the Owner or an Administrator at Ghost (Settings → Staff → your profile).',
        MASTHEAD_KEY: 'A key of the Owner or an Administrator of the stage (default: of the local stack).',
      },
      examples: {
        'Show what it would do': 'npm run ops -- import-ghost --from https://blog.example',
        'Do it': 'npm run ops -- import-ghost --from https://blog.example --apply --switch',
        'See whether events arrive': 'npm run ops -- import-ghost --from https://blog.example --check',
      },
    }),
  )
  .action(({ from, tokenFile, url, ...wanted }) => importFrom(from, staffToken(tokenFile), url, wanted));

interface Wanted {
  readonly apply: boolean;
  readonly switch: boolean;
  readonly include?: readonly string[] | undefined;
  readonly undo?: true | undefined;
  readonly check?: true | undefined;
}

const importFrom = async (from: string, token: string, url: string | undefined, wanted: Wanted): Promise<void> => {
  if (wanted.switch && !wanted.apply) throw new UsageError('--switch needs --apply.');
  const stage = stageFrom(url);
  checkReach(from, stage.baseUrl);
  const site = ghostSite(from, token);
  const api = stageApi(stage);
  const id = await site.identify();
  await api.checkKey();
  const work: Import = {
    site,
    stage: api,
    record: await openRecord(from, id, api),
    inbound: {},
    included: wanted.include ?? [],
    print,
    ask: agrees,
    wait: setTimeout,
  };
  if (!(await carryOut(work, wanted))) process.exitCode = exitCodes.failed;
};

const carryOut = (work: Import, wanted: Wanted): Promise<boolean> => {
  if (wanted.undo) return undoImport(work);
  if (wanted.check) return checkImport(work);
  return wanted.apply ? applyImport(work, wanted.switch) : showImport(work, wanted.switch);
};

/** A remote site cannot reach a stage on this machine, which is what a forgotten --url means. @throws UsageError */
const checkReach = (from: string, to: string): void => {
  if (isLoopback(from) || !isLoopback(to)) return;
  throw new UsageError(
    `${from} cannot reach ${to}, which is on this machine: set --url to a base URL of the stage that the site can ` +
      'reach (docs/ghost.md, "A tunnel").',
  );
};

const stageFrom = (url: string | undefined): { readonly baseUrl: string; readonly key: string } => {
  const { MASTHEAD_KEY: key } = process.env;
  if (url !== undefined) {
    if (!/^https?:/.test(url) || !URL.canParse(url))
      throw new UsageError(`--url is '${url}'; it must be the base URL of the stage, such as https://…/ghost/api.`);
    if (key === undefined)
      throw new UsageError('MASTHEAD_KEY is not set: it must be a key of the Owner or an Administrator of the stage.');
    return { baseUrl: url.replace(/\/+$/, ''), key };
  }
  const { baseUrl, adminKey } = readStackFile(findHome());
  return { baseUrl, key: key ?? adminKey };
};
