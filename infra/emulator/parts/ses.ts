/** The SES part: aws-ses-v2-local in this process, with its mailbox page, and the mails as JSON at `store`, below a secret path. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { belowSecret, guarded } from '../loopback.ts';
import type { Part } from './part.ts';

const require = createRequire(import.meta.url);
// Required, not imported: Node and vite disagree on what the default of this CommonJS module is.
const { default: listen }: typeof import('aws-ses-v2-local') = require('aws-ses-v2-local');
const { getStoreReadonly }: typeof import('aws-ses-v2-local/dist/store.js') = require('aws-ses-v2-local/dist/store.js');

/**
 * Starts the SES part on a free loopback port. Mails are stored in memory and, with `file`, also in that file, one per line, so that the
 * mailbox has them after the next start. Two parts in one process share their mails.
 */
export const startSes = async (options: { readonly file?: string } = {}): Promise<Part> => {
  const { emails } = getStoreReadonly();
  if (options.file !== undefined && existsSync(options.file))
    for (const line of readFileSync(options.file, 'utf8').split('\n').filter(Boolean)) emails.push(JSON.parse(line));
  const keep = options.file === undefined ? () => {} : keeper(options.file);
  const server = await listen({ host: '127.0.0.1', port: 0 });
  // Replaced before the first request: the part's own listener checks neither Host nor secret.
  const app = server.listeners('request')[0] ?? (() => {});
  server.removeAllListeners('request');
  const secret = randomBytes(16).toString('hex');
  server.on(
    'request',
    guarded(
      belowSecret(secret, (request, response) => {
        response.on('finish', keep);
        if (request.method === 'GET' && request.url === '/') sendPage(response, secret);
        else Reflect.apply(app, server, [request, response]);
      }),
    ),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    stop() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};

/** Sends the part's mailbox page, with its absolute paths moved below the secret. */
const sendPage = (response: ServerResponse, secret: string): void => {
  const file = join(dirname(require.resolve('aws-ses-v2-local/package.json')), 'static/index.html');
  const page = readFileSync(file, 'utf8').replaceAll(
    /(['"`])\/(store|clear-store|get-emlContent)\b/g,
    `$1/${secret}/$2`,
  );
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page);
};

/** Called after each response, before the function that sent a mail receives it, because both are in this process. */
const keeper = (file: string): (() => void) => {
  let kept = getStoreReadonly().emails.length;
  return () => {
    const { emails } = getStoreReadonly();
    // The mailbox page can clear the store.
    if (emails.length < kept) writeFileSync(file, '');
    for (const mail of emails.slice(kept)) appendFileSync(file, `${JSON.stringify(mail)}\n`);
    kept = emails.length;
  };
};
