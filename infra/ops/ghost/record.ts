/**
 * The record of a move, which the stage keeps, so that any machine can continue. A step is recorded before it is
 * made. The file on this machine is a copy with secrets, for the day that the stage is lost.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findHome, writePrivate } from '../../local/home.ts';
import { readSite } from './ghost-site.ts';
import { type MoveChanges, type MoveResource, moveSchema, type Stage } from './stage.ts';

const copySchema = v.object({
  record: moveSchema,
  secrets: v.record(v.string(), v.string()),
});

export type RecordChanges = Omit<MoveChanges, 'revision'>;

export interface MoveRecord {
  /** The record as it is now; its revision is 0 before the first step. */
  readonly now: MoveResource;
  readonly path: string;
  /** The copy on this machine, if the stage has no record. */
  readonly copy: MoveResource | undefined;
  /** Reads it again. @throws Error if another run has changed it since this one did */
  readonly refresh: () => Promise<void>;
  /** @throws Error if another run has changed it */
  readonly save: (changes: RecordChanges) => Promise<void>;
  readonly secretOf: (id: string) => Promise<string | null>;
  readonly useCopy: () => void;
  readonly end: () => Promise<void>;
}

/** Returns a URL of a site without a trailing slash, query and fragment. */
export const siteUrlOf = (text: string): string => {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

/** Opens the record of a site. @throws Error if the stage has another site, or this one under another URL */
export const openRecord = async (from: string, site: string, stage: Stage): Promise<MoveRecord> => {
  const home = findHome();
  const path = join(home.folder, `ghost-import-${site}.json`);
  const found = await stage.readMove(site);
  if (found !== undefined && found.from !== from) await checkMoved(found.from, from, site);
  let now = found ?? newRecord(from, stage.baseUrl, site);
  let copy = found === undefined && existsSync(path) ? readCopy(path) : undefined;
  const secrets = new Map(Object.entries((existsSync(path) ? tryReading(path) : undefined)?.secrets ?? {}));
  let all: ReadonlyMap<string, string> | undefined;
  let isLost = false;
  /** Whether this run made the last change, so that any other is of another run. */
  let isOurs = false;
  const keep = (): void => writePrivate(home, path, { record: now, secrets: Object.fromEntries(secrets) });
  return {
    path,
    get now() {
      return now;
    },
    get copy() {
      return copy?.record;
    },
    refresh: async () => {
      if (isLost) return;
      const read = (await stage.readMove(site)) ?? newRecord(from, stage.baseUrl, site);
      if (isOurs && read.revision !== now.revision)
        throw new Error('Another run of this command is at work. Run it again when the other one has ended.');
      now = read;
    },
    save: async (changes) => {
      if (isLost) {
        const { originals: _, forgotten: __, ...head } = changes;
        now = { ...now, ...head };
        return;
      }
      const beginning = now.revision === 0 ? { from, to: stage.baseUrl } : {};
      const moved = now.from === from ? {} : { from };
      now = await stage.changeMove(site, { ...beginning, ...moved, ...changes, revision: now.revision });
      isOurs = true;
      for (const { id, secret } of changes.originals ?? [])
        if (typeof secret === 'string') secrets.set(id, secret);
        else if (secret === null) secrets.delete(id);
      keep();
    },
    secretOf: async (id) => {
      all ??= isLost ? secrets : await stage.readSecrets(site);
      return all.get(id) ?? null;
    },
    useCopy: () => {
      if (copy === undefined) return;
      now = copy.record;
      copy = undefined;
      isLost = true;
    },
    end: async () => {
      if (!isLost) await stage.deleteMove(site);
      rmSync(path, { force: true });
    },
  };
};

const newRecord = (from: string, to: string, site: string): MoveResource => ({
  site,
  from,
  to,
  receiver_id: null,
  relay_id: null,
  relays: [],
  proven_at: null,
  revision: 0,
  inbound_hint: null,
  integrations: [],
  originals: [],
  failures: [],
  updated_at: '',
});

/** A copy of a site, such as one for tests, has its id too: only a site that left its URL has moved. @throws Error */
const checkMoved = async (recorded: string, from: string, site: string): Promise<void> => {
  const answering = await readSite(recorded).catch(() => undefined);
  if (answering?.site_uuid !== site) return;
  throw new Error(
    `${from} is the site ${recorded}, whose webhooks were moved under that URL: use --from ${recorded}. ` +
      'Under two URLs, receivers would get each event twice.',
  );
};

const tryReading = (path: string): v.InferOutput<typeof copySchema> | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), copySchema), readFileSync(path, 'utf8'));
  return parsed.success ? parsed.output : undefined;
};

/** @throws Error in a sentence for a damaged file */
const readCopy = (path: string): v.InferOutput<typeof copySchema> => {
  const found = tryReading(path);
  if (found === undefined)
    throw new Error(
      `${path} is damaged, and the stage has no record of this site. If nothing was moved, delete the file; ` +
        'otherwise put a backup of it in its place.',
    );
  return found;
};
