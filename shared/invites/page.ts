/** The page behind an invitation's link: the form, and what it says afterwards or when the link is dead. Works without JavaScript. */
import { type Html, html } from '../foundation/html.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import type { DeadLink } from './accept.ts';
import type { Invite } from './invite.ts';
import type { Language, PageFailure } from './languages/language.ts';
import { pageStyle } from './page-style.ts';
import { languageOf, wordingOf } from './wording.ts';

type Publication = Settings['publication'];

/** What is wrong with a name that was sent. */
export type NameProblem = 'missing' | 'too long';

/** The form that accepts an invite; it is posted to the page's own address. `problem` and `name` are of a form that was sent. */
export const formPage = (
  publication: Publication,
  invite: Invite,
  sent: { readonly name: string; readonly problem: NameProblem } | undefined = undefined,
): string => {
  const { language, invitation, facts } = wordingOf(invite, publication);
  const { page } = language;
  const title = language.title(invitation);
  const problem = sent && (sent.problem === 'missing' ? page.nameMissing : page.nameTooLong);
  return document(
    publication,
    language,
    problem === undefined ? title : `${page.errorPrefix}${title}`,
    html`<h1>${title}</h1>
<p>${language.lead(invitation)}</p>
<dl>
${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>\n`)}</dl>
<form method="post">
<label for="name">${page.name}</label>
<p class="hint" id="name-hint">${page.nameHint}</p>
${problem === undefined ? undefined : html`<p class="error" id="name-error" role="alert">${problem}</p>`}
<input id="name" name="name" autocomplete="name" required maxlength="191" aria-describedby="${problem === undefined ? 'name-hint' : 'name-hint name-error'}"${problem === undefined ? undefined : html` aria-invalid="true" autofocus`} value="${sent?.name ?? ''}">
<button type="submit">${language.action}</button>
</form>
<p class="quiet">${page.mistake}</p>`,
  );
};

/** Says that the invite is accepted, to the person who did it. */
export const acceptedPage = (publication: Publication, invite: Invite, name: string): string => {
  const { language, invitation } = wordingOf(invite, publication);
  return explanationPage(publication, language, language.page.accepted(invitation, oneLine(name)));
};

/** Explains a dead link, and what to do. */
export const deadPage = (publication: Publication, state: DeadLink): string => {
  const language = languageOf(publication);
  return explanationPage(publication, language, language.page.dead[state](oneLine(publication.name)));
};

/** Says why a request could not be answered, that nothing is lost, and what to do. */
export const failedPage = (publication: Publication, failure: PageFailure): string => {
  const language = languageOf(publication);
  return explanationPage(publication, language, language.page.failed[failure]);
};

const explanationPage = (
  publication: Publication,
  language: Language,
  { title, paragraphs }: { readonly title: string; readonly paragraphs: readonly string[] },
): string =>
  document(
    publication,
    language,
    title,
    html`<h1>${title}</h1>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}<p class="quiet"><a href="${publication.url}">${language.page.toPublication(oneLine(publication.name))}</a></p>`,
  );

const document = (publication: Publication, language: Language, title: string, content: Html): string => {
  const name = oneLine(publication.name);
  return `<!doctype html>\n${
    html`<html lang="${language.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title.includes(name) ? title : `${title} – ${name}`}</title>
<style>${{ html: pageStyle(publication) }}</style>
</head>
<body>
<main>
<p class="masthead">${publication.logoUrl === undefined ? name : html`<img src="${publication.logoUrl}" alt="${name}">`}</p>
${content}
</main>
</body>
</html>
`.html
  }`;
};
