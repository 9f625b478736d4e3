/** The layout of the pages behind links in mails, and their answers. They work without JavaScript. */
import { baseUrl } from '../foundation/environment.ts';
import { type Html, html } from '../foundation/html.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import { type HttpResponse, page } from '../http/response.ts';
import type { Explanation } from './languages/language.ts';
import { contentSecurityPolicy, pageStyle } from './page-style.ts';
import { languageOf } from './wording.ts';

type Publication = Settings['publication'];

/** Returns a page that is never cached, framed, indexed or sent as a referrer, because its address contains a token. */
export const answerPage = (publication: Publication, status: number, html: string): HttpResponse => {
  const answer = page(html, status);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'Content-Security-Policy': contentSecurityPolicy(publication),
      'X-Robots-Tag': 'noindex, nofollow',
    },
  };
};

/** Returns the address of the console. */
export const consoleUrl = (): string => `${baseUrl()}/console/`;

/** A link that looks like a button. */
export const actionLink = (url: string, label: string): Html =>
  html`<p><a class="action" href="${url}">${label}</a></p>`;

/** Returns a page without a form: what has happened, and the next step. */
export const explanationPage = (publication: Publication, { title, paragraphs }: Explanation, next?: Html): string =>
  document(
    publication,
    title,
    html`<h1>${title}</h1>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${next}`,
  );

/** Returns a page with the publication's name or logo above its content. */
export const document = (publication: Publication, title: string, content: Html): string => {
  const name = oneLine(publication.name);
  return `<!doctype html>\n${
    html`<html lang="${languageOf(publication).tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${name}</title>
<style>${{ html: pageStyle(publication) }}</style>
</head>
<body>
<header>${publication.logoUrl === undefined ? name : html`<img src="${publication.logoUrl}" alt="${name}">`}</header>
<main>
${content}
</main>
<footer><a href="${publication.url}">${publication.url}</a></footer>
</body>
</html>
`.html
  }`;
};
