/** The OpenAPI texts of accepting an invitation, for programs and for people. */
import * as v from 'valibot';
import { emailAddress } from '../../../shared/foundation/email.ts';
import { BadRequestError, NotFoundError } from '../../../shared/foundation/errors.ts';
import { acceptanceResource, invitationStatusResource, newAcceptance } from '../../../shared/invites/acceptance.ts';
import { failure, invalid } from '../errors.ts';
import type { OperationTexts } from '../operation.ts';
import { exampleTokens } from './invites.ts';

const token = (email: string): string => exampleTokens[email] ?? '';

const unknownLink = { status: 404, when: 'the link never existed' };
const deadLink = {
  status: 410,
  when: 'the link was used, has expired, was revoked or was replaced; the page shows which',
};

export const acceptance = {
  'invites/status': {
    summary: 'Check whether an invitation is open',
    description: 'The response reveals nothing about accounts. Requests are limited per source address.',
    query: { email: { schema: emailAddress(191), description: 'The address.', required: true } },
    answer: { status: 200, root: 'invitation', item: invitationStatusResource },
    errors: [
      failure('BadRequestError', '`email` is not an email address', { property: 'email' }),
      invalid('email', '`email` is sent more than once'),
    ],
    examples: {
      open: {
        summary: 'An open invitation',
        query: { email: 'ada@example.com' },
        answer: [{ valid: true }],
      },
      'no-address': {
        summary: 'Without an address',
        error: new BadRequestError('`email` in the query must be an email address.', {
          property: 'email',
          help: 'Send `?email=ada%40example.com`, URL-encoded.',
        }),
      },
    },
  },
  'invites/accept': {
    summary: 'Accept an invitation',
    description:
      'The token works once; of two concurrent requests one succeeds. The length of the password is checked, and the password is discarded.',
    body: { root: 'invitation', item: newAcceptance, max: 1 },
    answer: { status: 200, root: 'invitation', item: acceptanceResource },
    errors: [
      failure('NotFoundError', 'the token is unknown, was used, has expired, was revoked or was replaced', {
        property: 'token',
      }),
      invalid('email', '`email` is not the invited address'),
    ],
    examples: {
      accept: {
        summary: 'Ada joins',
        body: [
          { token: token('Ada@example.com'), email: 'ada@example.com', name: 'Ada', password: 'a long passphrase' },
        ],
        answer: [{ message: 'Invitation accepted.' }],
      },
      again: {
        summary: 'The same token again',
        body: [{ token: token('Ada@example.com'), name: 'Eve', password: 'a long passphrase' }],
        error: new NotFoundError('The invitation with this token has already been accepted.', {
          property: 'token',
          help: 'Sign in with the invited address.',
        }),
      },
    },
  },
  'invites/show-page': {
    summary: 'Open the invitation page',
    description:
      'The target of the link in the mail. Opening the page does not use the invitation. Errors are pages too.',
    answer: { status: 200, contentType: 'text/html', what: 'The page with the form.' },
    failsWithPages: true,
    errors: [unknownLink, deadLink],
    examples: {
      open: {
        summary: 'An open invitation',
        path: { token: token('grace@example.com') },
      },
      used: { summary: 'A used link', path: { token: token('Ada@example.com') }, status: 410 },
    },
  },
  'invites/accept-page': {
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
      {
        status: 422,
        when: 'the name is missing or too long, or has a web address or a host name; the page asks again',
      },
    ],
    examples: {
      nameless: {
        summary: 'Without a name',
        path: { token: token('grace@example.com') },
        body: 'name=',
        status: 422,
      },
      accept: {
        summary: 'Grace joins',
        path: { token: token('grace@example.com') },
        body: 'name=Grace+Hopper',
      },
    },
  },
} satisfies Record<string, OperationTexts>;
