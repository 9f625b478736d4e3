/** Tools for tests of sessions: request a link, let the mail be sent, exchange its token for a cookie. */
import type { FreshStack, TestResponse } from './parts.ts';

/** Returns the token of the sign-in link in a mail. */
export const signInTokenIn = (text: string): string | undefined => /\/sign-in\/([\w-]+)\//.exec(text)?.[1];

/** Returns the headers of a response by lower-case name; the cookies that it sets are joined. */
export const headersOf = ({ headers }: Response): Record<string, string> => ({
  ...Object.fromEntries(headers),
  ...(headers.has('set-cookie') && { 'set-cookie': headers.getSetCookie().join(', ') }),
});

/** Returns the value of the session's cookie that a response sets. */
export const cookieIn = ({ headers }: Pick<TestResponse, 'headers'>): string | undefined =>
  /\bmasthead_session=([^;]+)/.exec(headers['set-cookie'] ?? '')?.[1];

/** Returns the value of the cookie by which the browser is recognised that a response sets. */
export const browserIn = ({ headers }: Pick<TestResponse, 'headers'>): string | undefined =>
  /\bmasthead_browser=([^;]+)/.exec(headers['set-cookie'] ?? '')?.[1];

export interface SigningIn {
  request(email: string, headers?: Readonly<Record<string, string>>, sourceIp?: string): Promise<TestResponse>;
  /** Returns the tokens in the mails to an address, oldest first, after the mails were sent. */
  tokensFor(email: string): Promise<readonly string[]>;
  exchange(token: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  /** Signs in by a mail, and returns the session and the cookie. */
  signIn(
    email: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly id: string; readonly cookie: string; readonly token: string; readonly browser: string }>;
}

/** Returns the tools for one test file. */
export const signingIn = (stack: FreshStack): SigningIn => {
  const path = '/admin/session/';
  const tools: SigningIn = {
    request: (email, headers = {}, sourceIp) =>
      stack.call('sessions/request', {
        path,
        headers,
        body: { sessions: [{ email }] },
        ...(sourceIp !== undefined && { sourceIp }),
      }),
    async tokensFor(email) {
      await stack.drain('mail');
      return (await stack.mailsTo(email)).flatMap(({ body }) => signInTokenIn(body.text ?? '') ?? []);
    },
    exchange: (token, headers = {}) =>
      stack.call('sessions/create', { path, headers, body: { sessions: [{ token }] } }),
    async signIn(email, headers) {
      const known = await tools.tokensFor(email);
      const requested = await tools.request(email);
      if (requested.status !== 202) throw new Error(`requesting a link was answered with ${requested.text}`);
      const token = (await tools.tokensFor(email))[known.length] ?? '';
      const answer = await tools.exchange(token, headers);
      const cookie = cookieIn(answer);
      if (cookie === undefined) throw new Error(`signing in was answered with ${answer.text}`);
      return { id: answer.body.sessions[0].id, cookie, token, browser: browserIn(answer) ?? '' };
    },
  };
  return tools;
};
