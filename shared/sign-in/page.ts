/** The page behind a sign-in link: whom it signs in, a question if somebody else is signed in, and why it is dead. */
import type { Caller } from '../foundation/caller.ts';
import type { MastheadError } from '../foundation/errors.ts';
import { type Html, html } from '../foundation/html.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import type { HttpResponse } from '../http/response.ts';
import { actionLink, answerPage, consoleUrl, document, explanationPage } from '../publication/page.ts';
import { pageTextsOf } from '../publication/page-wording.ts';
import { languageOf } from '../publication/wording.ts';
import type { LiveLink } from './sign-in.ts';

type Publication = Settings['publication'];

type Person = Pick<Extract<Caller, { kind: 'staff' }>, 'name' | 'email'>;

const askingPage = (publication: Publication, name: string, content: Html): HttpResponse => {
  const title = pageTextsOf(publication).signIn.title(oneLine(name));
  return answerPage(publication, 200, document(publication, title, html`<h1>${title}</h1>\n${content}`));
};

/** Returns the form that signs a member in, and may change the address; it posts to the page's own address. */
export const confirmPage = (
  publication: Publication,
  { member: { name, email }, newAddress }: Pick<LiveLink, 'member' | 'newAddress'>,
): HttpResponse => {
  const { action } = languageOf(publication).signIn;
  const page = pageTextsOf(publication).signIn;
  const [from, to] = [oneLine(email), oneLine(newAddress ?? '')];
  return askingPage(
    publication,
    name,
    html`<p>${newAddress === undefined ? page.lead(from) : page.change({ from, to })}</p>
<form method="post"><button class="action" type="submit">${
      newAddress === undefined ? action : page.changeAction
    }</button></form>
<p class="quiet">${page.unexpected}</p>`,
  );
};

/** The field of a form that says that the person who is signed in is to be signed out. */
export const insteadField = 'instead';

/**
 * Asks once before it signs another person out. A click in a mail sends no cookies (SameSite=Strict), so only a form's
 * own request shows who is signed in. `fields` are sent again with the answer.
 */
export const insteadPage = (
  publication: Publication,
  current: Person,
  name: string,
  fields: Readonly<Record<string, string>> = {},
): HttpResponse => {
  const page = pageTextsOf(publication).signIn;
  return askingPage(
    publication,
    name,
    html`<p>${page.other({ name: oneLine(current.name), address: oneLine(current.email) })}</p>
<form method="post">
${Object.entries({ ...fields, [insteadField]: 'yes' }).map(
  ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">\n`,
)}<button class="action" type="submit">${page.instead(oneLine(name))}</button>
</form>
<p class="quiet"><a href="${consoleUrl()}">${page.stay(oneLine(current.name))}</a></p>`,
  );
};

/** Explains why a request failed: a dead link, with the way to another one, the form itself, or an internal error. */
export const failurePage = (publication: Publication, { status, headers }: MastheadError): HttpResponse => {
  const page = pageTextsOf(publication).signIn;
  const isDead = status === 404;
  const isOurs = status === 429 || status >= 500;
  const explanation = isDead ? page.dead : page.failed[isOurs ? 'ours' : 'unreadable'];
  // An empty reference is the page's own address, which a browser then opens with GET.
  const next = isDead ? actionLink(consoleUrl(), page.another) : actionLink('', page.again);
  const answer = answerPage(publication, status, explanationPage(publication, explanation, next));
  return { ...answer, headers: { ...answer.headers, ...headers } };
};
