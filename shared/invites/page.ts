/** The page behind an invitation's link: the form, the welcome, and why a link is dead. Works without JavaScript. */
import { randomBytes } from 'node:crypto';
import { maxNameLength } from '../foundation/fields.ts';
import { html } from '../foundation/html.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import type { PageTexts } from '../publication/languages/language.ts';
import { actionLink, document, explanationPage } from '../publication/page.ts';
import { pageTextsOf } from '../publication/page-wording.ts';
import { languageOf } from '../publication/wording.ts';
import type { DeadLink } from './accept.ts';
import type { Invite } from './invite.ts';
import { invitationOf } from './wording.ts';

type Publication = Settings['publication'];

export type NameProblem = 'missing' | 'too long' | 'not plain';

export type PageFailure = keyof PageTexts['invitation']['failed'];

/** The field of the form by which the same form is recognised when it is sent again. */
export const nonceField = 'nonce';

/**
 * Returns the form that accepts an invite; `sent` is a refused one. It comes before all details, visible at once on a
 * phone. Browsers count UTF-16 units: two per character at most.
 */
export const formPage = (
  publication: Publication,
  invite: Invite,
  sent: { readonly name: string; readonly problem: NameProblem } | undefined = undefined,
): string => {
  const invitation = invitationOf(invite, publication);
  const { action, validity } = languageOf(publication).invitation;
  const page = pageTextsOf(publication).invitation;
  const title = page.title(invitation);
  const problem = sent && page.nameProblems[sent.problem];
  return document(
    publication,
    problem === undefined ? title : `${page.errorPrefix}${title}`,
    html`<h1>${title}</h1>
<p>${page.lead(invitation)}</p>
<form method="post">
<label for="name">${page.name}</label>
<p class="hint" id="name-hint">${page.nameHint}</p>
${problem === undefined ? undefined : html`<p class="error" id="name-error" role="alert">${problem}</p>`}
<input id="name" name="name" autocomplete="name" required maxlength="${2 * maxNameLength}"
 aria-describedby="${problem === undefined ? 'name-hint' : 'name-hint name-error'}"${
   problem === undefined ? undefined : html` aria-invalid="true" autofocus`
 } value="${sent?.name ?? ''}">
<input type="hidden" name="${nonceField}" value="${randomBytes(18).toString('base64url')}">
<button class="action" type="submit">${action}</button>
</form>
<p class="quiet">${validity(invitation)}</p>
<p class="quiet">${page.unexpected}</p>`,
  );
};

/** Welcomes the person who accepted, with the console as the next step. */
export const acceptedPage = (publication: Publication, invite: Invite, name: string, consoleUrl: string): string => {
  const invitation = invitationOf(invite, publication);
  const page = pageTextsOf(publication).invitation;
  return explanationPage(
    publication,
    { title: page.welcome(oneLine(name)), paragraphs: [page.joined(invitation)] },
    html`${actionLink(consoleUrl, page.toConsole)}
<p class="quiet">${page.signIn(invitation)}</p>`,
  );
};

/** Tells the person who has accepted so. */
export const joinedPage = (publication: Publication, consoleUrl: string): string => {
  const page = pageTextsOf(publication).invitation;
  return explanationPage(publication, page.alreadyJoined, actionLink(consoleUrl, page.toConsole));
};

/** Explains why a link is dead and what to do next. After an acceptance, the mail still leads to the console. */
export const deadPage = (publication: Publication, state: Exclude<DeadLink, 'expired'>, consoleUrl: string): string => {
  const page = pageTextsOf(publication).invitation;
  return explanationPage(
    publication,
    page.dead[state],
    state === 'used' ? actionLink(consoleUrl, page.toConsole) : undefined,
  );
};

/** The field of the form that asks for a new link. */
export const againField = 'again';

/** Says that an invitation has expired and who invited, and offers a new link if the old one came by mail. */
export const expiredPage = (publication: Publication, invite: Invite): string => {
  const invitation = invitationOf(invite, publication);
  const page = pageTextsOf(publication).invitation;
  const { inviter } = invitation;
  const isMailed = invite.without_mail !== true;
  const toInviter = inviter && {
    url: `mailto:${encodeURIComponent(inviter.email)}`,
    label: page.askInviter(inviter.name),
  };
  return explanationPage(
    publication,
    page.expired(invitation, isMailed),
    isMailed
      ? html`<form method="post"><input type="hidden" name="${againField}" value="yes">
<button class="action" type="submit">${page.again}</button></form>
${toInviter === null ? undefined : html`<p class="quiet"><a href="${toInviter.url}">${toInviter.label}</a></p>`}`
      : toInviter === null
        ? undefined
        : actionLink(toInviter.url, toInviter.label),
  );
};

/** Says that a new link is on its way. */
export const sentAgainPage = (publication: Publication, invite: Invite): string =>
  explanationPage(
    publication,
    pageTextsOf(publication).invitation.sentAgain(invitationOf(invite, publication).address),
  );

/** Explains why a request could not be answered; the invitation is still valid, and a button leads back to it. */
export const failedPage = (publication: Publication, failure: PageFailure): string => {
  const page = pageTextsOf(publication).invitation;
  // An empty reference is the page's own address, which a browser then opens with GET.
  return explanationPage(publication, page.failed[failure], actionLink('', page.toInvitation));
};
