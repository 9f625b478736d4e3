/** `npm run ops -- import-ghost`: moves the webhooks of a Ghost site to a stage, and back. */
import { Option } from '@commander-js/extra-typings';
import { command, sections } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-codes.ts';
import { print } from '../command-line/print.ts';
import { findHome, readStackFile } from '../local/home.ts';
import { ghostSite } from './ghost/ghost-site.ts';
import { applyImport, type Import, showImport, switchOver, undoImport } from './ghost/import.ts';
import { openRecord } from './ghost/record.ts';
import { stageApi } from './ghost/stage.ts';

const siteUrl = (text: string): string => {
  if (URL.canParse(text)) return text;
  throw new UsageError('--from must be the URL of a Ghost site.');
};

export const importGhost = command('import-ghost')
  .summary('Moves the webhooks of a Ghost site to a stage, and back.')
  .description(
    `Moves the webhooks of a Ghost site to a stage, and back. Without --apply it shows what it would do, and changes nothing.

Between --apply and --switch receivers get each event from Ghost and from Masthead; use both together unless you want to compare. It can be stopped and run again: what was done is in .masthead/ghost-import-<host>.json. docs/ghost.md explains it.`,
  )
  .requiredOption('--from <url>', 'URL of the Ghost site, such as https://blog.example.', siteUrl)
  .requiredOption(
    '--key <token>',
    'Staff access token of the Owner or an Administrator at Ghost (Settings → Staff → your profile).',
  )
  .option('--url <url>', 'Base URL of the stage (default: the running local stack).')
  .option('--apply', 'Create the webhooks here, and a relay webhook for each event at Ghost.', false)
  .option('--switch', 'With --apply: then remove the imported webhooks at Ghost.', false)
  .addOption(
    new Option('--undo', 'Restore the webhooks at Ghost, and delete what was created.').conflicts(['apply', 'switch']),
  )
  .addHelpText(
    'after',
    sections({
      environment: {
        MASTHEAD_KEY: 'A key of the Owner or an Administrator of the stage (default: of the local stack).',
      },
      examples: {
        'Show what it would do': 'npm run ops -- import-ghost --from https://blog.example --key <token>',
        'Do it': 'npm run ops -- import-ghost --from https://blog.example --key <token> --apply --switch',
      },
    }),
  )
  .action(({ from, key, url, ...wanted }) => importFrom(from, key, url, wanted));

interface Wanted {
  readonly apply: boolean;
  readonly switch: boolean;
  readonly undo?: true | undefined;
}

const importFrom = async (from: string, key: string, url: string | undefined, wanted: Wanted): Promise<void> => {
  if (wanted.switch && !wanted.apply) throw new UsageError('--switch needs --apply.');
  const stage = stageFrom(url);
  const file = openRecord(from, stage.baseUrl);
  const work: Import = { site: ghostSite(from, key), stage: stageApi(stage), file, print: print };
  if (wanted.undo) {
    if (!file.exists) throw new Error(`There is no import from ${from} to undo: ${file.path} does not exist.`);
    return undoImport(work);
  }
  if (!wanted.apply) return showImport(work);
  await applyImport(work);
  if (wanted.switch) await switchOver(work);
};

const stageFrom = (url: string | undefined): { readonly baseUrl: string; readonly key: string } => {
  const { MASTHEAD_KEY: key } = process.env;
  if (url !== undefined) {
    if (key === undefined)
      throw new UsageError('MASTHEAD_KEY is not set: it must be a key of the Owner or an Administrator of the stage.');
    return { baseUrl: url.replace(/\/+$/, ''), key };
  }
  const { baseUrl, adminKey } = readStackFile(findHome());
  return { baseUrl, key: key ?? adminKey };
};
