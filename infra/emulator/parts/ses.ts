/** Starts the SES part: aws-ses-v2-local in this process on loopback, with its mailbox page at `/` and the mails at `/store`. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Part } from './part.ts';

const require = createRequire(import.meta.url);
// Required, not imported: Node and vite disagree on what the default of this CommonJS module is.
const { default: listen }: typeof import('aws-ses-v2-local') = require('aws-ses-v2-local');
const { getStoreReadonly }: typeof import('aws-ses-v2-local/dist/store.js') = require('aws-ses-v2-local/dist/store.js');

/**
 * Starts the SES part on a free loopback port. Mails lie in memory, and with `file` also in it, a line each, so that the
 * mailbox still has them after the next start. Two parts in one process share their mails.
 */
export const startSes = async (options: { readonly file?: string } = {}): Promise<Part> => {
  const { emails } = getStoreReadonly();
  if (options.file !== undefined && existsSync(options.file))
    for (const line of readFileSync(options.file, 'utf8').split('\n').filter(Boolean)) emails.push(JSON.parse(line));
  const server = await listen({ host: '127.0.0.1', port: 0 });
  if (options.file !== undefined) keepMails(server, options.file);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};

/** After each answer, and so before the function that sent a mail knows of it, since both are in this process. */
const keepMails = (server: Server, file: string): void => {
  let kept = getStoreReadonly().emails.length;
  server.on('request', (_request, response: ServerResponse) => {
    response.on('finish', () => {
      const { emails } = getStoreReadonly();
      // The mailbox page can clear it.
      if (emails.length < kept) writeFileSync(file, '');
      for (const mail of emails.slice(kept)) appendFileSync(file, `${JSON.stringify(mail)}\n`);
      kept = emails.length;
    });
  });
};
