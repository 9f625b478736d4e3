/** `POST /sign-in/{token}/`: the form of the page behind a sign-in link. It works once, and leads to the console. */
import * as v from 'valibot';
import * as example from '../../shared/accounts/example.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { BadRequestError } from '../../shared/foundation/errors.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { isOwnForm, readForm } from '../../shared/http/form.ts';
import { confirmContact, contactPage, findContactLink } from '../../shared/integrations/contact.ts';
import { consoleUrl } from '../../shared/publication/page.ts';
import { inReadersLanguage } from '../../shared/publication/page-wording.ts';
import { signedInPerson } from '../../shared/sign-in/browser.ts';
import { failurePage, insteadField, insteadPage } from '../../shared/sign-in/page.ts';
import { signIn, takeLink } from '../../shared/sign-in/sign-in.ts';

export const handler = openEndpoint({
  line: 'sessions/create-on-page',
  failure: (error, headers) => failurePage(inReadersLanguage(settings().publication, headers), error),
  answer: { status: 303 },
  handle: async ({ request, now, reply }) => {
    const token = request.params.token ?? '';
    const publication = inReadersLanguage(settings().publication, request.headers);
    const form = readForm(request);
    if (!isOwnForm(request)) throw new BadRequestError('The form must come from the page behind the link.');
    const contact = await findContactLink(token, now);
    if (contact !== undefined) {
      await confirmContact(contact);
      return contactPage(publication, (await findContactLink(token, now)) ?? contact);
    }
    const { member } = await takeLink(token, now);
    const current = await signedInPerson(request.headers);
    if (current !== undefined && current.staffId !== member.id && !form.has(insteadField))
      return insteadPage(publication, current, member.name);
    const { cookies } = await signIn(token, request.headers, now);
    return reply(undefined, { headers: { Location: consoleUrl() }, cookies });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'Sign in on the sign-in page',
  description:
    'The form of the page. It leads to the console; where somebody else is signed in, it asks once before it signs ' +
    'them out. With the link of a contact, it confirms the address. Errors are pages too.',
  body: {
    form: v.object({ instead: v.optional(v.pipe(v.string(), v.description('The answer to that question.'))) }),
  },
  errors: [{ status: 400, when: 'the body is not a form of the page' }, example.deadLink],
  examples: {
    'sign-in': { summary: 'Ada signs in', path: { token: example.signInTokens[2] }, body: '' },
    unknown: { summary: 'An unknown link', path: { token: 'x' }, body: '', status: 404 },
  },
});
