/** A proxy in front of the SES part that injects errors of SES; other calls pass through. */
import { createServer } from 'node:http';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';

/** The fields of a SendRawEmail request (SES API v1), such as `Destinations.member.1`. */
export type SentFields = ReadonlyMap<string, string>;

/** `pass` accepts the mail, `lose answer` then resets the connection, `no answer` resets it first; else an error. */
export type Verdict = 'pass' | 'lose answer' | 'no answer' | { readonly code: string; readonly message: string };

/** Returns the mail that a request sends, with its headers. */
export const mailIn = (fields: SentFields | undefined): Promise<Email> =>
  PostalMime.parse(Buffer.from(fields?.get('RawMessage.Data') ?? '', 'base64'));

/** Returns the value of a header of a mail; undefined if it has none. */
export const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name.toLowerCase())?.value;

export interface SesFront {
  judge(verdict: (fields: SentFields) => Verdict): void;
  readonly seen: readonly SentFields[];
}

/** Starts the proxy and sets its address for the functions, until the file ends; call it right after `freshStack`. */
export const sesFront = async (part: string): Promise<SesFront> => {
  let judge: (fields: SentFields) => Verdict = () => 'pass';
  const seen: SentFields[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const fields = new Map(new URLSearchParams(body.toString()));
    seen.push(fields);
    const verdict = judge(fields);
    if (typeof verdict === 'object') {
      const status = verdict.code === 'Throttling' || verdict.code.endsWith('Rejected') ? 400 : 500;
      response.writeHead(status, { 'content-type': 'text/xml' });
      response.end(
        '<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type>' +
          `<Code>${verdict.code}</Code><Message>${verdict.message}</Message></Error>` +
          '<RequestId>1</RequestId></ErrorResponse>',
      );
      return;
    }
    if (verdict !== 'no answer') {
      const { host: _, ...headers } = request.headers;
      const answer = await fetch(part, { method: 'POST', body, headers: headers as Record<string, string> });
      const text = await answer.text();
      if (verdict === 'pass') {
        response.writeHead(answer.status, { 'content-type': 'text/xml' });
        response.end(text);
        return;
      }
    }
    request.socket.destroy();
  });
  const { origin, stop } = await listen(server);
  process.env.AWS_ENDPOINT_URL_SES = origin;
  afterAll(stop);
  return {
    seen,
    judge(verdict) {
      judge = verdict;
    },
  };
};
