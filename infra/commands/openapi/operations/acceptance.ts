/** The OpenAPI texts of accepting an invitation, for programs and for people. */
import * as v from 'valibot';
import { acceptanceResource, invitationStatusResource, newAcceptance } from '../../../../shared/invites/acceptance.ts';
import type { Operation } from '../operation.ts';
import { errorAnswer, invalid, notFound } from './errors.ts';
import { exampleTokens } from './invites.ts';

const resource = 'Acceptance';

const token = (email: string): string => exampleTokens[email] ?? '';

const unknownLink = { status: 404, when: 'the link never existed' };
const deadLink = {
  status: 410,
  when: 'the link was used, has expired, was revoked or was replaced; the page says which',
};

export const acceptance = {
  'invites/status': {
    resource,
    summary: 'Check whether an invitation is open',
    description: 'The response reveals nothing about accounts. Requests are limited per source address.',
    query: { email: { schema: v.pipe(v.string(), v.maxLength(191)), description: 'The address; required.' } },
    answer: { status: 200, root: 'invitation', item: invitationStatusResource },
    errors: [{ status: 400, type: 'BadRequestError', property: 'email', when: '`email` is not an e-mail address' }],
    examples: {
      open: {
        summary: 'An open invitation',
        caller: 'anyone',
        query: { email: 'ada@example.com' },
        status: 200,
        answer: { invitation: [{ valid: true }] },
      },
      'no-address': {
        summary: 'Without an address',
        caller: 'anyone',
        status: 400,
        answer: errorAnswer('BadRequestError', '`email` in the query must be an e-mail address.', {
          property: 'email',
          help: 'Send `?email=ada%40example.com`, URL-encoded.',
        }),
      },
    },
  },
  'invites/accept': {
    resource,
    summary: 'Accept an invitation',
    description:
      'The token works once; of two concurrent requests one succeeds. The length of the password is checked, and the password is discarded.',
    body: { root: 'invitation', item: newAcceptance, max: 1 },
    answer: { status: 200, root: 'invitation', item: acceptanceResource },
    errors: [
      { ...notFound('the token is unknown, was used, has expired, was revoked or was replaced'), property: 'token' },
      invalid('email', '`email` is not the invited address'),
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
        answer: errorAnswer('NotFoundError', 'The invitation with this token has already been accepted.', {
          property: 'token',
          help: 'Ask for the invitation to be resent: the new mail has a new link.',
        }),
      },
    },
  },
  'invites/show-page': {
    resource,
    summary: 'Open the invitation page',
    description:
      'The target of the link in the mail. Opening the page does not use the invitation. Errors are pages too.',
    answer: { status: 200, contentType: 'text/html', what: 'The page with the form.' },
    failsWithPages: true,
    errors: [unknownLink, deadLink],
    examples: {
      open: {
        summary: 'An open invitation',
        caller: 'anyone',
        path: { token: token('grace@example.com') },
        status: 200,
      },
      used: { summary: 'A used link', caller: 'anyone', path: { token: token('Ada@example.com') }, status: 410 },
    },
  },
  'invites/accept-page': {
    resource,
    summary: 'Accept on the invitation page',
    description: 'The form of the page. Errors are pages too.',
    body: {
      form: v.object({ name: v.pipe(v.string(), v.minLength(1), v.maxLength(191), v.description('The name.')) }),
    },
    answer: { status: 200, contentType: 'text/html', what: 'The welcome page.' },
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
