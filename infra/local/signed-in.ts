/** Opens the console in a browser on this machine with a session: a page sets the session's cookie, and works once. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { guarded, listen } from '../emulator/loopback.ts';
import { eventually } from './demo/eventually.ts';
import { sentMails } from './demo/mailbox.ts';
import type { StackFile } from './home.ts';

/** How long the address works, in ms. */
const linkMs = 60_000;

/**
 * Returns an address that works once, on another port of this host: cookies of a host apply to all its ports.
 * @throws Error if the API returns no link or no session
 */
export const signedInUrl = async (stack: StackFile): Promise<string> => {
  const cookies = await signIn(stack, await requestToken(stack));
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(
    guarded((request, response) => {
      if (request.url !== path) {
        response.writeHead(404).end();
        return;
      }
      server.close();
      response.writeHead(303, {
        'Set-Cookie': cookies,
        Location: `${stack.baseUrl}/console/`,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
      });
      response.end();
    }),
  );
  const { origin, stop } = await listen(server);
  setTimeout(stop, linkMs).unref();
  server.unref();
  return `${origin}${path}`;
};

const change = (stack: StackFile, method: 'POST' | 'PUT', session: object): Promise<Response> =>
  fetch(`${stack.baseUrl}/admin/session/`, {
    method,
    headers: { 'Content-Type': 'application/json', Origin: new URL(stack.baseUrl).origin },
    body: JSON.stringify({ sessions: [session] }),
  });

/** Asks for a sign-in mail for the Owner, as the console does, and returns the token in it, which works once. */
const requestToken = async (stack: StackFile): Promise<string> => {
  const known = (await sentMails(stack)).length;
  const response = await change(stack, 'POST', { email: stack.ownerEmail });
  if (!response.ok)
    throw new Error(`No sign-in link: the API answered ${response.status}. Try again in a few minutes.`);
  return eventually('a mail with a sign-in link', async () => {
    const mails = (await sentMails(stack))
      .slice(known)
      .filter(({ destination }) => destination.to.includes(stack.ownerEmail));
    return mails.flatMap(({ body }) => /\/sign-in\/([\w-]+)\//.exec(body.text)?.[1] ?? [])[0];
  });
};

const signIn = async (stack: StackFile, token: string): Promise<string[]> => {
  const response = await change(stack, 'PUT', { token });
  if (!response.ok) throw new Error(`No session: the API answered ${response.status}. Press o again.`);
  return response.headers.getSetCookie();
};
