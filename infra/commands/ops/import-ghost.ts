/** `npm run ops -- import-ghost`: moves the webhooks of a Ghost site to a stage, and back. */
import { runCommand } from '../command.ts';
import { findHome, readStackFile } from '../home.ts';
import { ghostSite } from './ghost/ghost-site.ts';
import { applyImport, type Import, showImport, switchOver, undoImport } from './ghost/import.ts';
import { openRecord } from './ghost/record.ts';
import { stageApi } from './ghost/stage.ts';

const summary = 'Moves the webhooks of a Ghost site to a stage, and back.';

interface Options {
  readonly from?: string | undefined;
  readonly key?: string | undefined;
  readonly url?: string | undefined;
  readonly apply?: boolean | undefined;
  readonly switch?: boolean | undefined;
  readonly undo?: boolean | undefined;
}

export const importGhost = {
  summary,
  run: (args: readonly string[]) =>
    runCommand(
      {
        usage:
          'npm run ops -- import-ghost --from <url> --key <staff access token> [--url <url>] [--apply [--switch] | --undo]',
        summary: `${summary} Without --apply it shows what it would do, and changes nothing.`,
        options: {
          from: { type: 'string', value: '<url>', description: 'URL of the Ghost site, such as https://blog.example.' },
          key: {
            type: 'string',
            value: '<token>',
            description:
              'Staff access token of the Owner or an Administrator at Ghost (Settings → Staff → your profile).',
          },
          url: {
            type: 'string',
            value: '<url>',
            description: 'Base URL of the stage (default: the running local stack).',
          },
          apply: {
            type: 'boolean',
            description: 'Create the webhooks here, and a relay webhook for each event at Ghost.',
          },
          switch: { type: 'boolean', description: 'With --apply: then remove the imported webhooks at Ghost.' },
          undo: { type: 'boolean', description: 'Restore the webhooks at Ghost, and delete what was created.' },
        },
        environment: {
          MASTHEAD_KEY: 'A key of the Owner or an Administrator of the stage (default: of the local stack).',
        },
        notes: `Between --apply and --switch receivers get each event from Ghost and from Masthead; use both together unless you want to compare. It can be
stopped and run again: what was done is in .masthead/ghost-import-<host>.json. docs/ghost.md explains it.`,
      },
      ({ values }) => run(values),
      args,
    ),
};

const run = async ({ from, key, url, ...wanted }: Options): Promise<void> => {
  if (from === undefined || !URL.canParse(from)) throw new Error('--from must be the URL of a Ghost site.');
  if (key === undefined)
    throw new Error('--key is missing: a staff access token of the Ghost site. Run with --help for usage.');
  if (wanted.switch === true && wanted.apply !== true) throw new Error('--switch needs --apply.');
  const stage = stageFrom(url);
  const file = openRecord(from, stage.baseUrl);
  const work: Import = { site: ghostSite(from, key), stage: stageApi(stage), file, print: console.log };
  if (wanted.undo === true) {
    if (!file.exists) throw new Error(`There is no import from ${from} to undo: ${file.path} does not exist.`);
    return undoImport(work);
  }
  if (wanted.apply !== true) return showImport(work);
  await applyImport(work);
  if (wanted.switch === true) await switchOver(work);
};

const stageFrom = (url: string | undefined): { readonly baseUrl: string; readonly key: string } => {
  const { MASTHEAD_KEY: key } = process.env;
  if (url !== undefined) {
    if (key === undefined)
      throw new Error('MASTHEAD_KEY is not set: it must be a key of the Owner or an Administrator of the stage.');
    return { baseUrl: url.replace(/\/+$/, ''), key };
  }
  const { baseUrl, adminKey } = readStackFile(findHome());
  return { baseUrl, key: key ?? adminKey };
};
