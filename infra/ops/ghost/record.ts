/** The record of an import: what was made where, written after each step, so that it can be continued and undone. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findHome, writePrivate } from '../../local/home.ts';
import { ghostWebhook } from './ghost-site.ts';

const schema = v.object({
  /** URL of the site, and base URL of the stage. */
  from: v.string(),
  to: v.string(),
  /** The integration here whose inbound secret the site signs with. */
  site: v.optional(v.object({ id: v.string(), secret: v.string() })),
  /** Ids here, by id at Ghost. */
  integrations: v.record(v.string(), v.string()),
  /** By id at Ghost: the webhook as Ghost had it, its id here, and whether it was removed there. */
  webhooks: v.record(v.string(), v.object({ original: ghostWebhook, id: v.string(), removed: v.boolean() })),
  /** The integration at Ghost that holds the relay's webhooks, and their ids by event. */
  relay: v.optional(v.object({ id: v.string(), webhooks: v.record(v.string(), v.string()) })),
});
export type ImportRecord = v.InferOutput<typeof schema>;

export interface RecordFile {
  readonly path: string;
  readonly record: ImportRecord;
  readonly exists: boolean;
  readonly save: () => void;
  readonly remove: () => void;
}

/** Opens the record of an import from a site, or an empty one. It has secrets: only its owner can read it. @throws Error if it is of another stage */
export const openRecord = (from: string, to: string): RecordFile => {
  const home = findHome();
  const path = join(home.folder, `ghost-import-${new URL(from).host.replaceAll(':', '-')}.json`);
  const exists = existsSync(path);
  const record = exists
    ? v.parse(schema, JSON.parse(readFileSync(path, 'utf8')))
    : { from, to, integrations: {}, webhooks: {} };
  if (record.to !== to)
    throw new Error(`${path} is of an import into ${record.to}. Undo that one first: --undo --url ${record.to}.`);
  return {
    path,
    record,
    exists,
    save: () => writePrivate(home, path, record),
    remove: () => rmSync(path, { force: true }),
  };
};
