/** The OpenAPI texts of sessions, in which staff use the console. */
import * as v from 'valibot';
import { sessionResource } from '../../../shared/accounts/resource.ts';
import { NotFoundError } from '../../../shared/foundation/errors.ts';
import { newSession, newSignIn, signInResource } from '../../../shared/sign-in/schema.ts';
import { failure, forbidden, notFound } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts } from '../operation.ts';

const email = 'Ada@example.com';

/** Placeholders for the tokens in the mails to this address, in their order. */
export const exampleSignIns = {
  email,
  tokens: [
    'Xq1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1',
    'Yq1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1',
    'Zq1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1',
  ],
} as const;

const ada = '019acb5e0a10a1b2c3d4e5f6';
const [first, second, third] = [
  { id: '019acb61a0b0a1b2c3d4e5f6', at: '2026-11-21T09:40' },
  { id: '019acb61a0b1a1b2c3d4e5f6', at: '2026-11-21T09:50' },
  { id: '019acb61a0b2a1b2c3d4e5f6', at: '2026-11-21T09:55' },
].map(({ id, at }) =>
  exampleOf(sessionResource, {
    id,
    user_id: ada,
    device: 'Firefox on Linux',
    created_at: `${at}:00.000Z`,
    last_seen_at: `${at}:00.000Z`,
    expires_at: `${at.replace('T09', 'T21')}:00.000Z`,
    current: true,
  }),
);

const deadLink = { status: 404, when: 'the link is unknown, was used or has expired' };

const otherOrigin = forbidden("the request has an `Origin` other than the API's, or a session cookie without `Origin`");

export const sessions = {
  'sessions/request': {
    summary: 'Request a sign-in link',
    description:
      'If the address belongs to a staff member, a mail brings a link that works once, for 15 minutes. The response is the same for every address. Requests are limited per address and per source address, whether the address is known or not.',
    body: { root: 'sessions', item: newSignIn, max: 1 },
    answer: { status: 202, root: 'sessions', item: signInResource },
    errors: [otherOrigin],
    examples: {
      request: { summary: 'Ada signs in', body: [{ email }], answer: [{ email }] },
      again: { summary: 'Another link', body: [{ email }], answer: [{ email }] },
      third: { summary: 'And another one', body: [{ email }], answer: [{ email }] },
      unknown: {
        summary: 'An address that no staff member has',
        body: [{ email: 'stranger@example.com' }],
        answer: [{ email: 'stranger@example.com' }],
      },
    },
  },
  'sessions/create': {
    summary: 'Sign in with the token of a link',
    description:
      'Sets the cookie `masthead_session` (`HttpOnly`, `Secure`, `SameSite=Strict`) for 12 hours, and `masthead_browser`, by which requests for further links are recognised. Their names begin with `__Host-` behind a domain of your own, and with `__Secure-` behind a host of AWS. The token is what follows `/sign-in/` in the link; it works once, and of two concurrent requests one succeeds.',
    body: { root: 'sessions', item: newSession, max: 1 },
    answer: { status: 201, root: 'sessions', item: sessionResource },
    errors: [
      otherOrigin,
      failure('NotFoundError', 'the token is unknown, was used or has expired', { property: 'token' }),
    ],
    examples: {
      'sign-in': {
        summary: 'Ada signs in',
        body: [{ token: exampleSignIns.tokens[0] }],
        answer: [first ?? {}],
      },
      used: {
        summary: 'The same token again',
        body: [{ token: exampleSignIns.tokens[0] }],
        error: new NotFoundError('The token is unknown, was used or has expired.', {
          property: 'token',
          help: 'Request another link with POST /admin/session/.',
        }),
      },
      'another-device': {
        summary: 'Ada signs in again',
        body: [{ token: exampleSignIns.tokens[1] }],
        answer: [second ?? {}],
      },
    },
  },
  'sessions/show-page': {
    summary: 'Open the sign-in page',
    description: 'The target of the link in the mail. Opening the page uses nothing. Errors are pages too.',
    answer: { status: 200, contentType: 'text/html', what: 'The page with the button.' },
    failsWithPages: true,
    errors: [deadLink],
    examples: {
      open: { summary: 'The link of Ada', path: { token: exampleSignIns.tokens[2] } },
      unknown: { summary: 'An unknown link', path: { token: 'x' }, status: 404 },
    },
  },
  'sessions/create-on-page': {
    summary: 'Sign in on the sign-in page',
    description:
      'The form of the page. It leads to the console; where somebody else is signed in, it asks once before it signs them out. Errors are pages too.',
    body: {
      form: v.object({ instead: v.optional(v.pipe(v.string(), v.description('The answer to that question.'))) }),
    },
    answer: { status: 303 },
    failsWithPages: true,
    errors: [{ status: 400, when: 'the body is not a form of the page' }, deadLink],
    examples: {
      'sign-in': { summary: 'Ada signs in', path: { token: exampleSignIns.tokens[2] }, body: '' },
      unknown: { summary: 'An unknown link', path: { token: 'x' }, body: '', status: 404 },
    },
  },
  'sessions/list': {
    summary: 'List one’s own sessions',
    description: 'Newest first, without those that have ended.',
    answer: { status: 200, root: 'sessions', item: sessionResource },
    examples: {
      list: {
        summary: 'Three devices',
        caller: 'session',
        answer: [third ?? {}, { ...second, current: false }, { ...first, current: false }],
      },
    },
  },
  'users/list-sessions': {
    summary: 'List the sessions of a staff member',
    description: 'Newest first, without those that have ended.',
    knowsMe: true,
    answer: { status: 200, root: 'sessions', item: sessionResource },
    examples: {
      list: {
        summary: 'The three devices of Ada',
        path: { id: ada },
        answer: [third, second, first].map((session) => ({ ...session, current: false })),
      },
    },
  },
  'sessions/end-current': {
    summary: 'Sign out',
    description:
      'Ends the session of the request and removes its cookie. Environments that have cached the session accept it for a few seconds more.',
    answer: { status: 204 },
    errors: [notFound('the request was made with a key, without a session')],
    examples: { 'sign-out': { summary: 'Ada signs out', caller: 'session' } },
  },
  'sessions/end': {
    summary: 'End one of one’s own sessions',
    description: 'Such as one on a lost device.',
    answer: { status: 204 },
    examples: {
      end: { summary: 'Another device', caller: 'session', path: { id: String(first?.id) } },
    },
  },
  'users/end-session': {
    summary: 'End a session of a staff member',
    description: 'Such as one on a lost device. Only the Owner ends those of the Owner.',
    knowsMe: true,
    answer: { status: 204 },
    errors: [forbidden('only the Owner can change the Owner')],
    examples: {
      end: { summary: 'A device that Ada has lost', path: { id: ada, session_id: String(second?.id) } },
    },
  },
} satisfies Record<string, OperationTexts>;
