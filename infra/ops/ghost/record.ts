/**
 * The record of an import. It contains only what neither side can tell afterwards: the webhooks as they were at Ghost, whether we were about to
 * remove them, and the inbound secret. It is written before each step that needs it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findHome, writePrivate } from '../../local/home.ts';
import { ghostIntegration, ghostWebhook } from './ghost-site.ts';

const schema = v.object({
  /** URL of the site, and base URL of the stage. */
  from: v.string(),
  to: v.string(),
  /** The site's own id. */
  site: v.string(),
  /** The inbound secret that the site signs with. */
  secret: v.optional(v.string()),
  /** Whether an event has arrived through the relay since it was last changed. */
  proven: v.optional(v.boolean(), false),
  /** The integrations at Ghost whose webhooks were imported, by id. */
  integrations: v.record(v.string(), ghostIntegration),
  /** The webhooks as Ghost had them, by id; `removed` from just before they are removed there. */
  originals: v.record(v.string(), v.object({ webhook: ghostWebhook, removed: v.boolean() })),
});
export type ImportRecord = v.InferOutput<typeof schema>;

export interface RecordFile {
  readonly path: string;
  readonly record: ImportRecord;
  readonly exists: boolean;
  readonly save: () => void;
  readonly remove: () => void;
}

/** Returns a URL of a site without a trailing slash, query and fragment. */
export const siteUrlOf = (text: string): string => {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

/** Opens the record of an import from a site, or an empty one. It has secrets: only its owner can read it. @throws Error if it is of another stage or site */
export const openRecord = (from: string, to: string, site: string): RecordFile => {
  const home = findHome();
  // Two sites can lie on one host, so the whole URL names the file.
  const name = from
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 60);
  const path = join(
    home.folder,
    `ghost-import-${name}-${createHash('sha256').update(from).digest('hex').slice(0, 8)}.json`,
  );
  const exists = existsSync(path);
  const record = exists
    ? v.parse(schema, JSON.parse(readFileSync(path, 'utf8')))
    : { from, to, site, proven: false, integrations: {}, originals: {} };
  if (record.to !== to)
    throw new Error(`${path} is of an import into ${record.to}. Undo that one first: --undo --url ${record.to}.`);
  if (record.site !== site)
    throw new Error(
      `${path} is of another site at the same URL (${record.site}; this one is ${site}). If the old one is gone, delete the file.`,
    );
  return {
    path,
    record,
    exists,
    save: () => writePrivate(home, path, record),
    remove: () => rmSync(path, { force: true }),
  };
};
