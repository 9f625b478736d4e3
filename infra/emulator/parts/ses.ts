/** The SES part: aws-ses-v2-local in this process, with our mailbox page and the mails as JSON, on secret paths. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import * as v from 'valibot';
import { belowSecret, guarded, listenNear } from '../loopback.ts';
import { type FeedbackEvent, feedbackEvent, feedbacks, type SentMail } from './feedback.ts';
import { mailboxPage, mailboxPolicy } from './mailbox-page.ts';
import type { Part } from './part.ts';
import { damaged } from './sqlite-file.ts';

const require = createRequire(import.meta.url);

interface SesOptions {
  readonly file?: string;
  /** The preferred port; a nearby one is used if it is taken. Default: any. */
  readonly port?: number;
  /** Called when somebody lets a mail bounce, or complains about it, on the page of the mailbox. */
  readonly onFeedback?: (event: FeedbackEvent) => unknown;
}

/**
 * Starts the SES part on loopback. Keeps mails in memory and, with `file`, also there, one per line, for the next
 * start. Two parts in one process share their mails.
 * @throws PartMissingError if the file is damaged
 */
export const startSes = async ({
  file,
  port = 0,
  onFeedback,
}: SesOptions = {}): Promise<Part & { readonly port: number }> => {
  const secret = randomBytes(16).toString('hex');
  const earlier = file === undefined ? [] : readMails(file);
  let opened: ReturnType<typeof openMailbox> | undefined;
  const server = createServer(
    guarded(
      belowSecret(secret, async (request, response) => {
        if (request.method === 'GET' && request.url === '/') return sendPage(response);
        opened ??= openMailbox(file, earlier);
        const { app, keep, mails } = await opened;
        const [, kind, id] = /^\/(\w+)\/([^/]+)$/.exec(request.method === 'POST' ? (request.url ?? '') : '') ?? [];
        const feedback = feedbacks.find((one) => one === kind);
        if (feedback !== undefined) {
          const mail = mails().find(({ messageId }) => messageId === id);
          if (mail !== undefined) await onFeedback?.(feedbackEvent(feedback, mail, new Date()));
          response.writeHead(mail === undefined ? 404 : 204).end();
          return;
        }
        response.on('finish', () => keep(request));
        Reflect.apply(app, server, [request, response]);
      }),
    ),
  );
  const listening = await listenNear(server, port);
  return { url: `${listening.origin}/${secret}`, port: listening.port, stop: listening.stop };
};

/** Loads the package only for a first mail or visit: it takes memory, and a fifth of the time of a start. */
const openMailbox = async (file: string | undefined, earlier: readonly string[]) => {
  // Required, not imported: Node and vite disagree on what the default of this CommonJS module is.
  const { default: start }: typeof import('aws-ses-v2-local') = require('aws-ses-v2-local');
  const { getStoreReadonly }: Store = require('aws-ses-v2-local/dist/store.js');
  const { emails } = getStoreReadonly();
  for (const line of earlier) emails.push(JSON.parse(line));
  // Only its listener is used, which checks neither Host nor secret.
  const unguarded = await start({ host: '127.0.0.1', port: 0 });
  const app = unguarded.listeners('request')[0] ?? (() => {});
  unguarded.close();
  return {
    app,
    keep: keeper(file, getStoreReadonly),
    mails: (): readonly SentMail[] => getStoreReadonly().emails,
  };
};

/** Reads a file of mails, without a last line that has no end: a killed process was writing it. */
const readMails = (file: string): readonly string[] => {
  if (!existsSync(file)) return [];
  const [incomplete, ...complete] = readFileSync(file, 'utf8').split('\n').reverse();
  const lines = complete.reverse();
  if (incomplete !== '') writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const isMail = (line: string): boolean => {
    try {
      return typeof JSON.parse(line) === 'object';
    } catch {
      return false;
    }
  };
  const bad = lines.findIndex((line) => !isMail(line));
  if (bad >= 0) throw damaged(file, `line ${bad + 1} is no mail`);
  return lines;
};

type Store = typeof import('aws-ses-v2-local/dist/store.js');

const sendPage = (response: ServerResponse): void => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', mailboxPolicy);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  response.end(mailboxPage);
};

const sentRaw = v.object({
  body: v.objectWithRest({ 'RawMessage.Data': v.string() }, v.unknown()),
});

/** Returns the tags of a mail as SES returns them, from the parameters `Tags.member.1.Name` and `.Value`. */
const tagsOf = (body: Readonly<Record<string, unknown>>): SentMail['tags'] =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const [, place] = /^Tags\.member\.(\d+)\.Name$/.exec(name) ?? [];
      return place === undefined ? [] : [[String(value), [String(body[`Tags.member.${place}.Value`])]]];
    }),
  );

/**
 * Adds source and tags to each new mail, and keeps it in the file, if any. Called after each response with its parsed
 * request, before the sending function receives the response: both are in this process.
 */
const keeper = (file: string | undefined, getStoreReadonly: Store['getStoreReadonly']) => {
  let kept = getStoreReadonly().emails.length;
  return (request: IncomingMessage): void => {
    const { emails } = getStoreReadonly();
    // The mailbox page can clear the store.
    if (emails.length < kept && file !== undefined) writeFileSync(file, '');
    const sent = v.safeParse(sentRaw, request);
    for (const mail of emails.slice(kept)) {
      if (sent.success) {
        const { body } = sent.output;
        const source = Buffer.from(body['RawMessage.Data'], 'base64').toString();
        Object.assign(mail, { source, tags: tagsOf(body) });
      }
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(mail)}\n`);
    }
    kept = emails.length;
  };
};
