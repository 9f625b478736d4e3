/** Serves every page and mail of a publisher's team on loopback, as the functions would. */
import { createServer, type Server } from 'node:http';
import { listen } from '../../infra/emulator/loopback.ts';
import type { AccountNotice } from '../../shared/accounts/account-notice.ts';
import { accountNoticeMail } from '../../shared/accounts/account-notice-mail.ts';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { Mail } from '../../shared/aws/mail.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { Settings } from '../../shared/foundation/settings.ts';
import type { HttpResponse } from '../../shared/http/response.ts';
import { incidentMail, recoveryMail } from '../../shared/incidents/mail.ts';
import { invitationMail } from '../../shared/invites/mail.ts';
import { acceptedPage, deadPage, expiredPage, failedPage, formPage } from '../../shared/invites/page.ts';
import { contentSecurityPolicy } from '../../shared/publication/page-style.ts';
import { addressMail, signInMail } from '../../shared/sign-in/mail.ts';
import { confirmPage, failurePage, insteadPage } from '../../shared/sign-in/page.ts';
import { presentListed } from '../../shared/webhooks/declined.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { invite, publication } from '../support/invitation.ts';
import { failingWebhook, noticeStage, toldIncident } from '../support/notice.ts';

/** Light on the accent colour, so that it is visible on a dark background too. */
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 40" role="img"><rect width="220" height="40" rx="8" ' +
  'fill="#7a1f3d"/><circle cx="20" cy="19" r="5.5" fill="#fff"/><circle cx="34" cy="19" r="5.5" ' +
  'fill="#fff"/><circle cx="20" cy="19" r="2.4" fill="#222"/><circle cx="34" cy="19" r="2.4" fill="#222"/><path ' +
  'd="M24 24l3 5 3-5z" fill="#f2b134"/><text x="50" y="27" font-family="Noto Serif, Georgia, serif" font-size="20" ' +
  'font-weight="700" fill="#fff" textLength="156" lengthAdjust="spacingAndGlyphs">The Daily Owl</text></svg>';

const inviteHere = invite({
  status: 'sent',
  email: 'ada.lovelace@example.net',
  inviter: { name: 'Olive Whitfield', email: 'olive@daily-owl.example' },
});

const longInvite = invite({
  status: 'sent',
  role: 'Super Editor',
  email: 'bartholomew.featherstonehaugh@newsroom.example.net',
  inviter: { name: 'Maximiliane von Hohenstein-Weißenfels', email: 'm.von.hohenstein@newsroom.daily-owl.example' },
});

/** The longest values that the rules allow, without a place where a line may break. */
const longestAddress = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(2)}example`;
const longestName = 'W'.repeat(191);
const longestInvite = invite({
  status: 'sent',
  role: 'Super Editor',
  email: longestAddress,
  inviter: { name: longestName, email: longestAddress },
});
const longest = (here: Settings['publication']): Settings['publication'] => ({
  ...here,
  name: longestName,
  url: `https://${'c'.repeat(60)}.example/${'d'.repeat(200)}`,
  logoUrl: undefined,
});
const longestMember: StaffMember = {
  id: '019acb5a70d1a1b2c3d4e5f8' as StaffId,
  name: longestName,
  email: longestAddress,
  role: 'Editor',
  created_at: '2026-11-21T09:24:00.000Z',
};

const ada: StaffMember = { ...longestMember, name: 'Ada Lovelace', email: 'ada.lovelace@example.net' };

process.env.BASE_URL = 'https://desk.daily-owl.example/ghost/api';
const consoleUrl = `${process.env.BASE_URL}/console/`;

const link = `https://desk.daily-owl.example/ghost/api/invitation/${inviteHere.id}Zk3vQ9mTq0b8sY2fXw5nJ7cR1hLgD4pA6uE-oVtKiMs/`;

/** An address, or the name of a person or a site. */
const otherIn = (kind: AccountNotice['kind']): string =>
  kind === 'addressAsked' || kind === 'addressChanged' ? longestAddress : longestName;

const htmlOf = ({ body }: HttpResponse): string => String(body);

export const pages: Readonly<Record<string, (publication: Settings['publication']) => string>> = {
  form: (publication) => formPage(publication, inviteHere),
  mistake: (publication) => formPage(publication, inviteHere, { name: 'x', problem: 'too long' }),
  'long-form': (publication) => formPage(publication, longInvite),
  'long-mistake': (publication) => formPage(publication, longInvite, { name: '', problem: 'missing' }),
  'longest-form': (publication) => formPage(longest(publication), longestInvite),
  'longest-accepted': (publication) => acceptedPage(longest(publication), longestInvite, longestName, consoleUrl),
  accepted: (publication) => acceptedPage(publication, inviteHere, 'Ada Lovelace', consoleUrl),
  unknown: (publication) => deadPage(publication, 'unknown', consoleUrl),
  used: (publication) => deadPage(publication, 'used', consoleUrl),
  expired: (publication) => expiredPage(publication, invite()),
  revoked: (publication) => deadPage(publication, 'revoked', consoleUrl),
  superseded: (publication) => deadPage(publication, 'superseded', consoleUrl),
  'too-large': (publication) => failedPage(publication, 'too large'),
  unreadable: (publication) => failedPage(publication, 'unreadable'),
  failed: (publication) => failedPage(publication, 'ours'),
  'sign-in': (publication) => htmlOf(confirmPage(publication, { member: ada })),
  'longest-sign-in': (publication) => htmlOf(confirmPage(longest(publication), { member: longestMember })),
  'change-address': (publication) =>
    htmlOf(confirmPage(publication, { member: ada, newAddress: 'ada@daily-owl.example' })),
  'longest-change-address': (publication) =>
    htmlOf(confirmPage(longest(publication), { member: longestMember, newAddress: longestAddress })),
  instead: (publication) => htmlOf(insteadPage(publication, ada, 'Grace Hopper')),
  'longest-instead': (publication) => htmlOf(insteadPage(longest(publication), longestMember, longestName)),
  'dead-sign-in': (publication) => htmlOf(failurePage(publication, new NotFoundError('dead'))),
};

const failing: Readonly<Record<string, readonly Webhook[]>> = {
  failing: [failingWebhook({ last_triggered_at: '2026-11-21T10:02:00.000Z' })],
  'failing-together': Array.from({ length: 12 }, (_, number) =>
    failingWebhook({
      id: `019acb5130f4a1b2c3d4e5${number + 10}` as Webhook['id'],
      name: `${['Site rebuild', 'Search index', 'Newsletter'][number % 3]} ${number + 1}`,
      last_triggered_status: null,
      last_triggered_error: 'timeout',
    }),
  ),
  disabled: [failingWebhook({ status: 'disabled', disabled_for: 'failing' })],
  declined: [
    failingWebhook({
      status: 'disabled',
      disabled_for: 'receiver',
      declined_at: '2026-11-26T10:12:00.000Z',
      declined_with: '410 channel_is_archived',
    }),
  ],
};

const readerHere = { to: 'olive@daily-owl.example', isContact: false };
const stageHere = (here: Settings['publication']) => ({
  ...noticeStage(here),
  baseUrl: 'https://desk.daily-owl.example/ghost/api',
});

export const mails: Readonly<Record<string, (publication: Settings['publication']) => Mail>> = {
  invitation: (here) => invitationMail(inviteHere, link, here),
  'longest-invitation': (here) => invitationMail(longestInvite, link, longest(here)),
  'sign-in': (here) => signInMail(longestMember, link, here),
  'longest-sign-in': (here) => signInMail(longestMember, link, longest(here)),
  'longest-address': (here) => addressMail(longestAddress, link, longest(here)),
  ...Object.fromEntries(
    // All kinds have the same layout: the longest text, the shortest, and one with a button of its own.
    (['addressAsked', 'token', 'invitesStopped'] as const).map((kind) => [
      `longest-${kind}`,
      (here: Settings['publication']) =>
        accountNoticeMail(
          longestMember,
          { kind, by: longestName, other: otherIn(kind), to: longestAddress, at: longestMember.created_at },
          { baseUrl: process.env.BASE_URL ?? '', publication: longest(here) },
        ),
    ]),
  ),
  'longest-failing': (here) =>
    incidentMail(
      {
        ...toldIncident(
          failingWebhook({
            name: longestName,
            target_url: `https://${'t'.repeat(63)}.${'u'.repeat(63)}.example/`,
            last_triggered_status: null,
            last_triggered_error: 'e'.repeat(191),
          }),
        ),
        integrations: [longestName],
      },
      { to: longestAddress, isContact: true },
      { ...noticeStage(longest(here)), baseUrl: `https://${'v'.repeat(63)}.example/ghost/api` },
    ),
  ...Object.fromEntries(
    Object.entries(failing).map(([name, webhooks]) => [
      name,
      (here: Settings['publication']) => incidentMail(toldIncident(...webhooks), readerHere, stageHere(here)),
    ]),
  ),
  recovered: (here) =>
    recoveryMail(
      {
        webhook: presentListed(failingWebhook()),
        host: 'hooks.bookshop.example',
        isOnly: false,
        still: [],
        waiting: { count: 3, hasMore: false, oldest: Date.parse('2026-11-21T09:24:00.000Z') },
      },
      readerHere,
      stageHere(here),
    ),
};

/** Serves pages (`/page/<language>/<name>/<colour>`) with policy, mails (`/mail/<language>/<name>`), and the logo. */
export const startPages = async (): Promise<{ readonly origin: string; readonly server: Server }> => {
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
        .end(mails[name]?.(here).html ?? '');
    return response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy(here),
      })
      .end(pages[name]?.(here) ?? '');
  });
  const { origin } = await listen(server);
  return { origin, server };
};
