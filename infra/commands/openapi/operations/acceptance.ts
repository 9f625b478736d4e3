/** What the OpenAPI document says of accepting an invitation, for programs and for people. */
import * as v from 'valibot';
import { acceptanceResource, invitationStatusResource, newAcceptance } from '../../../../shared/invites/acceptance.ts';
import type { Operation } from '../operation.ts';
import { errorAnswer } from './error-answer.ts';
import { exampleTokens } from './invites.ts';

const resource = 'Acceptance';

const token = (email: string): string => exampleTokens[email] ?? '';

const unknownLink = { status: 404, when: 'this was never a link' };
const deadLink = {
  status: 410,
  when: 'the link is used, expired, revoked, or there is a newer one; the page says which',
};

export const acceptance = {
  'invites/status': {
    resource,
    summary: 'Ask whether an invitation is open',
    description: 'It says nothing about accounts. Questions are limited by source address.',
    query: { email: { schema: v.pipe(v.string(), v.maxLength(191)), description: 'The address; required.' } },
    answer: { status: 200, root: 'invitation', item: invitationStatusResource },
    errors: [{ status: 400, type: 'BadRequestError', property: 'email', when: '`email` is not an address' }],
    examples: {
      open: {
        summary: 'An invitation that is open',
        caller: 'anyone',
        query: { email: 'ada@example.com' },
        status: 200,
        answer: { invitation: [{ valid: true }] },
      },
      'no-address': {
        summary: 'Without an address',
        caller: 'anyone',
        status: 400,
        answer: errorAnswer('BadRequestError', '`email` in the query is not an e-mail address.', {
          property: 'email',
          help: 'Send it as `?email=ada%40example.com`, encoded as a query wants it.',
        }),
      },
    },
  },
  'invites/accept': {
    resource,
    summary: 'Accept an invitation',
    description:
      'The token works once; of two who use it at the same time one wins. The password is checked for its length, and handed to nobody.',
    body: { root: 'invitation', item: newAcceptance, max: 1 },
    answer: { status: 200, root: 'invitation', item: acceptanceResource },
    errors: [
      {
        status: 404,
        type: 'NotFoundError',
        property: 'token',
        when: 'the token is unknown, used, expired, revoked, or there is a newer one',
      },
      { status: 422, type: 'ValidationError', property: 'email', when: '`email` is not the address that was invited' },
    ],
    examples: {
      accept: {
        summary: 'Ada joins',
        caller: 'anyone',
        body: {
          invitation: [
            { token: token('Ada@example.com'), email: 'ada@example.com', name: 'Ada', password: 'a long passphrase' },
          ],
        },
        status: 200,
        answer: { invitation: [{ message: 'Invitation accepted.' }] },
      },
      again: {
        summary: 'The same token again',
        caller: 'anyone',
        body: { invitation: [{ token: token('Ada@example.com'), name: 'Eve', password: 'a long passphrase' }] },
        status: 404,
        answer: errorAnswer('NotFoundError', 'The invitation of this token has been accepted already.', {
          property: 'token',
          help: 'Ask for the invitation to be sent again: a new mail has a new link.',
        }),
      },
    },
  },
  'invites/show-page': {
    resource,
    summary: 'Open the page of an invitation',
    description: 'What the link in the mail leads to. Opening it uses nothing. All its answers are pages.',
    answer: { status: 200, contentType: 'text/html', what: 'The page that asks for the name.' },
    failsWithPages: true,
    errors: [unknownLink, deadLink],
    examples: {
      open: {
        summary: 'An open invitation',
        caller: 'anyone',
        path: { token: token('grace@example.com') },
        status: 200,
      },
      used: {
        summary: 'A link that was used',
        caller: 'anyone',
        path: { token: token('Ada@example.com') },
        status: 410,
      },
    },
  },
  'invites/accept-page': {
    resource,
    summary: 'Accept on the page of an invitation',
    description: 'The form of that page. All its answers are pages.',
    body: {
      form: v.object({ name: v.pipe(v.string(), v.minLength(1), v.maxLength(191), v.description('The name.')) }),
    },
    answer: { status: 200, contentType: 'text/html', what: 'The page that says that it is done.' },
    failsWithPages: true,
    errors: [
      { status: 400, when: 'the body is not a form' },
      unknownLink,
      deadLink,
      { status: 422, when: 'the name is missing or too long; the page asks again' },
    ],
    examples: {
      nameless: {
        summary: 'Without a name',
        caller: 'anyone',
        path: { token: token('grace@example.com') },
        body: 'name=',
        status: 422,
      },
      accept: {
        summary: 'Grace joins',
        caller: 'anyone',
        path: { token: token('grace@example.com') },
        body: 'name=Grace+Hopper',
        status: 200,
      },
    },
  },
} satisfies Record<string, Operation>;
