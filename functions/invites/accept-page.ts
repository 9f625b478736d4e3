/**
 * `POST /invitation/{token}/`: the form of the page behind the link. It works once and signs the member in; an expired
 * link mails a new one. The token is the only credential, so accepting needs no protection against other sites' forms.
 * Signing in does, so the cookie is set for our own form only.
 */
import * as v from 'valibot';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import { readStaffMember } from '../../shared/accounts/staff-store.ts';
import { log } from '../../shared/aws/log.ts';
import { minute } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { maxNameLength } from '../../shared/foundation/fields.ts';
import { sha256 } from '../../shared/foundation/hash.ts';
import { personName } from '../../shared/foundation/person-name.ts';
import type { Settings } from '../../shared/foundation/settings.ts';
import { isBlank, oneLine } from '../../shared/foundation/text.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { isOwnForm, readForm } from '../../shared/http/form.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import type { HttpResponse } from '../../shared/http/response.ts';
import { accept, lookUp } from '../../shared/invites/accept.ts';
import * as example from '../../shared/invites/example.ts';
import type { Invite } from '../../shared/invites/invite.ts';
import {
  acceptedPage,
  againField,
  formPage,
  type NameProblem,
  nonceField,
  sentAgainPage,
} from '../../shared/invites/page.ts';
import { answerDead, answerFailed, answerJoined } from '../../shared/invites/page-answer.ts';
import { renew } from '../../shared/invites/renew.ts';
import { answerPage, consoleUrl } from '../../shared/publication/page.ts';
import { inReadersLanguage } from '../../shared/publication/page-wording.ts';
import { beginIn } from '../../shared/sign-in/begin.ts';
import { signedInPerson } from '../../shared/sign-in/browser.ts';
import { insteadField, insteadPage } from '../../shared/sign-in/page.ts';
import { transact } from '../../shared/table/transaction.ts';

/** A double click sends the form twice. */
const sameFormMs = minute;

export const handler = openEndpoint({
  line: 'invites/accept-page',
  failure: (error, headers) => answerFailed(inReadersLanguage(settings().publication, headers), error),
  answer: { status: 200, contentType: 'text/html' },
  handle: async ({ request, now }) => {
    const publication = inReadersLanguage(settings().publication, request.headers);
    const token = request.params.token ?? '';
    const fields = readForm(request);
    const typed = fields.get('name') ?? '';
    const nonce = fields.get(nonceField) || undefined;
    const name = oneLine(typed);
    const link = await lookUp(token);
    const form = nonce && sha256(nonce);
    const sent = { form, publication, request, now };
    if (link.state === 'used') return answerAgain(link.invite, sent);
    if (link.state === 'expired' && fields.has(againField))
      return (await renew(link.invite, now))
        ? answerPage(publication, 200, sentAgainPage(publication, link.invite))
        : answerDead(publication, { state: 'superseded' });
    if (link.state !== 'open') return answerDead(publication, link);
    const problem = problemOf(typed);
    if (problem !== undefined) {
      const refused = { name: [...name].slice(0, maxNameLength).join(''), problem };
      return answerPage(publication, 422, formPage(publication, link.invite, refused));
    }
    const current = isOwnForm(request) ? await signedInPerson(request.headers) : undefined;
    if (current !== undefined && !fields.has(insteadField))
      return insteadPage(publication, current, name, { name, ...(nonce !== undefined && { [nonceField]: nonce }) });
    const end = await accept({ token, name, form });
    if (end.state === 'used') return answerAgain(end.invite, sent);
    if (end.state !== 'accepted') return answerDead(publication, end);
    return welcome(link.invite, end.member, sent);
  },
});

interface Sent {
  /** The hash of its nonce. */
  readonly form: string | undefined;
  /** In the language of who reads the answer. */
  readonly publication: Settings['publication'];
  readonly request: HttpRequest;
  readonly now: number;
}

const welcome = async (
  invite: Invite,
  member: StaffMember,
  { publication, request, now }: Sent,
): Promise<HttpResponse> => ({
  ...answerPage(publication, 200, acceptedPage(publication, invite, member.name, consoleUrl())),
  cookies: await signedIn(member, request, now),
});

/** Answers a form that comes again after it was accepted: after a double click alike, later without a session. */
const answerAgain = async (invite: Invite, sent: Sent): Promise<HttpResponse> => {
  const { form, publication, now } = sent;
  const member = form !== undefined && invite.accepted_form === form ? await acceptor(invite) : undefined;
  if (member === undefined) return answerDead(publication, { state: 'used', invite });
  return now - Date.parse(member.created_at) <= sameFormMs ? welcome(invite, member, sent) : answerJoined(publication);
};

const acceptor = async ({ accepted_by }: Invite): Promise<StaffMember | undefined> =>
  accepted_by === undefined ? undefined : readStaffMember(accepted_by);

/** Returns a session's cookies; none if the table does not answer: the member has joined, and can sign in by mail. */
const signedIn = async (member: StaffMember, request: HttpRequest, now: number): Promise<readonly string[]> => {
  if (!isOwnForm(request)) return [];
  const { writes, cookies } = beginIn(request.headers, member, now);
  try {
    await transact(writes);
    return cookies;
  } catch (error) {
    log.warn('A new staff member could not be signed in', { error });
    return [];
  }
};

const problemOf = (name: string): NameProblem | undefined => {
  if (isBlank(name)) return 'missing';
  if ([...oneLine(name)].length > maxNameLength) return 'too long';
  return v.is(personName, name) ? undefined : 'not plain';
};

export const documentation = (): Documentation => ({
  tag: 'Acceptance',
  summary: 'Accept on the invitation page',
  description: 'The form of the page. Errors are pages too.',
  what: 'The welcome page.',
  body: {
    form: v.object({ name: v.pipe(v.string(), v.minLength(1), v.maxLength(191), v.description('The name.')) }),
  },
  errors: [
    { status: 400, when: 'the body is not a form' },
    example.unknownLink,
    example.deadLink,
    {
      status: 422,
      when: 'the name is missing or too long, or has a web address or a host name; the page asks again',
    },
  ],
  examples: {
    nameless: {
      summary: 'Without a name',
      path: { token: example.token('grace@example.com') },
      body: 'name=',
      status: 422,
    },
    accept: {
      summary: 'Grace joins',
      path: { token: example.token('grace@example.com') },
      body: 'name=Grace+Hopper',
    },
  },
});
