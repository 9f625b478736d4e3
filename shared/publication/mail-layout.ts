/**
 * The layout of every mail: the publication's branding around parts that are written as text and as HTML. The HTML uses
 * what mail programs support in common: tables, inline styles, and a sheet for dark mode and narrow screens. Only the
 * logo is fetched; without images, the publication's name replaces it.
 */
import { type Html, html } from '../foundation/html.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import { colours, textOn } from './colours.ts';
import { languageOf } from './wording.ts';

type Publication = Settings['publication'];

export interface MailPart {
  readonly text: string;
  readonly html: Html;
}

const { light, dark } = colours;
/** A long name or address would widen the table; `word-break` is for programs that do not know `anywhere`. */
const breaking = 'word-break: break-word; overflow-wrap: anywhere';
const font = `font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; ${breaking}`;
const body = `${font}; font-size: 16px; line-height: 24px; color: ${light.text}`;
const small = `${font}; font-size: 14px; line-height: 21px; color: ${light.quiet}`;

/** A sentence or more. */
export const paragraph = (text: string): MailPart => ({
  text,
  html: html`<p class="text" style="margin: 0 0 16px; ${body}">${text}</p>`,
});

/** Less important text. */
export const smallPrint = (text: string): MailPart => ({
  text,
  html: html`<p class="quiet" style="margin: 0 0 12px; ${small}">${text}</p>`,
});

/** Labels and values. */
export const facts = (rows: readonly (readonly [label: string, value: string])[]): MailPart => {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return {
    text: rows.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`).join('\n'),
    html: html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"
 style="margin: 0 0 20px">
${rows.map(
  ([label, value]) => html`<tr>
<td class="fact quiet" valign="top" width="130" style="padding: 0 12px 6px 0; ${small}">${label}</td>
<td class="fact value text" valign="top"
 style="padding: 0 0 6px; ${body}; font-size: 15px; line-height: 22px">${value}</td>
</tr>
`,
)}</table>`,
  };
};

/** The main action. */
export const button = (label: string, url: string, { accentColor }: Publication): MailPart => ({
  text: `${label}:\n${url}`,
  html: html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 8px 0 24px">
<tr><td bgcolor="${accentColor}" style="border-radius: 8px; background: ${accentColor}"><a href="${url}"
 style="display: inline-block; padding: 13px 24px; border: 1px solid ${textOn(accentColor)}; border-radius: 8px;
 ${font}; font-size: 16px; line-height: 22px; font-weight: 700; color: ${textOn(accentColor)};
 text-decoration: none">${label}</a></td></tr>
</table>`,
});

/** Repeats the address of a button for mail programs that do not show buttons; the text part has it already. */
export const buttonFallback = (url: string, publication: Publication): MailPart => ({
  text: '',
  html: html`<p class="quiet" style="margin: 0 0 12px; ${small}">${languageOf(publication).buttonFallback}<br>
<a href="${url}" style="color: ${light.quiet}">${url}</a></p>`,
});

const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .background { background: ${dark.background} !important; }
  .card { background: ${dark.card} !important; }
  .text, .text a { color: ${dark.text} !important; }
  .quiet, .quiet a { color: ${dark.quiet} !important; }
}
@media (max-width: 480px) {
  .outer { padding: 0 !important; }
  .inner { padding: 24px 20px !important; }
  .fact { display: block !important; width: auto !important; padding: 0 !important; }
  .value { padding-bottom: 10px !important; }
}`;

/** Writes a mail from its parts; the title comes first. */
export const writeMail = (
  { subject, title, parts }: { readonly subject: string; readonly title: string; readonly parts: readonly MailPart[] },
  publication: Publication,
): { readonly subject: string; readonly text: string; readonly html: string } => {
  const { tag } = languageOf(publication);
  const name = oneLine(publication.name);
  const signature = `--${' '}\n${name}\n${publication.url}\n`;
  return {
    subject: oneLine(subject),
    text: [title, ...parts.map(({ text }) => text), signature].filter((text) => text !== '').join('\n\n'),
    html: `<!doctype html>\n${
      html`<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${{ html: sheet }}
</style>
</head>
<body class="background" style="margin: 0; padding: 0; background: ${light.background}; -webkit-text-size-adjust: 100%">
<div role="article" aria-roledescription="email" aria-label="${subject}" lang="${tag}">
<table role="presentation" class="background" width="100%" cellpadding="0" cellspacing="0" border="0"
 style="background: ${light.background}">
<tr><td class="outer" align="center" style="padding: 24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0"
 style="max-width: 560px; background: ${light.card}; border-top: 6px solid ${publication.accentColor}">
<tr><td class="inner" style="padding: 32px 36px; text-align: left">
${masthead(publication, name)}
<h1 class="text" style="margin: 0 0 16px; ${font}; font-size: 22px; line-height: 30px;
 font-weight: 700; color: ${light.text}">${title}</h1>
${parts.map((part) => part.html)}
</td></tr>
</table>
<p class="quiet" style="margin: 16px 12px; ${small}"><a href="${publication.url}"
 style="color: ${light.quiet}">${publication.url}</a></p>
</td></tr>
</table>
</div>
</body>
</html>
`.html
    }`,
  };
};

/** The logo, whose alternative text is the name, styled to replace it without images; or the name. */
const masthead = ({ logoUrl }: Publication, name: string): Html => {
  const style = `margin: 0 0 24px; ${font}; font-size: 18px; line-height: 24px; font-weight: 700; color: ${light.text}`;
  return logoUrl === undefined
    ? html`<p class="text" style="${style}">${name}</p>`
    : html`<p class="text" style="${style}"><img src="${logoUrl}" alt="${name}" height="40"
 style="height: 40px; width: auto; max-width: 220px; border: 0"></p>`;
};
