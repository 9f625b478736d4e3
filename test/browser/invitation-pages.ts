/** Every page and mail of an invitation, served on loopback as the functions would, for the browser to look at. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Settings } from '../../shared/foundation/settings.ts';
import { invitationMail } from '../../shared/invites/mail.ts';
import { acceptedPage, deadPage, failedPage, formPage } from '../../shared/invites/page.ts';
import { contentSecurityPolicy } from '../../shared/invites/page-style.ts';
import { invite, publication } from '../support/invitation.ts';

/** Light on the publication's colour, so that it can be seen on a dark ground too. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 40" role="img"><rect width="220" height="40" rx="8" fill="#7a1f3d"/><circle cx="20" cy="19" r="5.5" fill="#fff"/><circle cx="34" cy="19" r="5.5" fill="#fff"/><circle cx="20" cy="19" r="2.4" fill="#222"/><circle cx="34" cy="19" r="2.4" fill="#222"/><path d="M24 24l3 5 3-5z" fill="#f2b134"/><text x="50" y="27" font-family="Noto Serif, Georgia, serif" font-size="20" font-weight="700" fill="#fff" textLength="156" lengthAdjust="spacingAndGlyphs">The Daily Owl</text></svg>`;

const inviteHere = invite({
  status: 'sent',
  email: 'ada.lovelace@example.net',
  inviter: { name: 'Olive Whitfield', email: 'olive@daily-owl.example' },
});

const link = `https://desk.daily-owl.example/ghost/api/invitation/${inviteHere.id}Zk3vQ9mTq0b8sY2fXw5nJ7cR1hLgD4pA6uE-oVtKiMs/`;

/** Every page there is, by a name of ours. */
export const pages: Readonly<Record<string, (publication: Settings['publication']) => string>> = {
  form: (publication) => formPage(publication, inviteHere),
  mistake: (publication) => formPage(publication, inviteHere, { name: 'x', problem: 'too long' }),
  accepted: (publication) => acceptedPage(publication, inviteHere, 'Ada Lovelace'),
  unknown: (publication) => deadPage(publication, 'unknown'),
  used: (publication) => deadPage(publication, 'used'),
  expired: (publication) => deadPage(publication, 'expired'),
  revoked: (publication) => deadPage(publication, 'revoked'),
  superseded: (publication) => deadPage(publication, 'superseded'),
  'too-large': (publication) => failedPage(publication, 'too large'),
  unreadable: (publication) => failedPage(publication, 'unreadable'),
  failed: (publication) => failedPage(publication, 'ours'),
};

/**
 * Serves the pages with their policy (`/page/<language>/<name>/<colour>`), the mail as it is (`/mail/<language>`), and the logo,
 * for a publication with a logo and a colour of its own, as a stage would set it.
 */
export async function startPages(): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const [, what = '', language = 'en', name = '', colour = '7a1f3d'] = (request.url ?? '').split('/');
    if (what === 'logo.svg') return response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(logo);
    const here = publication({
      url: 'https://www.daily-owl.example',
      logoUrl: `${origin}/logo.svg`,
      accentColor: `#${colour}`,
      language: language === 'de' ? 'de' : 'en',
    });
    if (what === 'mail')
      return response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(invitationMail(inviteHere, link, here).html);
    return response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy(here),
      })
      .end(pages[name]?.(here) ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { origin, server };
}
