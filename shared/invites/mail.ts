/**
 * The invitation mail, as text and as HTML.
 *
 * The HTML is what mail programs agree on: one table, styles at the elements, and a style sheet for the dark for those that
 * read it. Nothing in it is fetched but the logo, whose place the publication's name takes where images are off.
 */
import type { Mail } from '../aws/mail.ts';
import { type Html, html } from '../foundation/html.ts';
import type { Settings } from '../foundation/settings.ts';
import { oneLine } from '../foundation/text.ts';
import { colours, textOn } from './colours.ts';
import type { Invite } from './invite.ts';
import { type Wording, wordingOf } from './wording.ts';

/** Writes the mail for an invite; `link` is where it is accepted. Answers go to the inviter, where there is one. */
export const invitationMail = (invite: Invite, link: string, publication: Settings['publication']): Mail => {
  const wording = wordingOf(invite, publication);
  const { language, invitation } = wording;
  return {
    to: invite.email,
    replyTo: invite.inviter?.email,
    subject: oneLine(language.mail.subject(invitation)),
    text: textOf(wording, link, publication),
    html: `<!doctype html>\n${htmlOf(wording, link, publication).html}`,
  };
};

const textOf = (
  { language, invitation, facts, until }: Wording,
  link: string,
  { url }: Settings['publication'],
): string => {
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  return `${language.lead(invitation)}

${facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`).join('\n')}

${language.action}:
${link}

${language.mail.once(until)}

${language.mail.mistakeTitle}
${language.mail.mistake(invitation)}

--${' '}
${invitation.publication}
${url}
`;
};

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const { light, dark } = colours;

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

const htmlOf = (wording: Wording, link: string, publication: Settings['publication']): Html => {
  const { language, invitation, facts, until } = wording;
  const { accentColor } = publication;
  const text = `margin: 0 0 20px; ${font}; font-size: 16px; line-height: 24px; color: ${light.text}`;
  const quiet = `margin: 0 0 12px; ${font}; font-size: 14px; line-height: 21px; color: ${light.quiet}`;
  return html`<html lang="${language.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${language.mail.subject(invitation)}</title>
<style>${{ html: sheet }}
</style>
</head>
<body class="background" style="margin: 0; padding: 0; background: ${light.background}; -webkit-text-size-adjust: 100%">
<div role="article" aria-roledescription="email" aria-label="${language.mail.subject(invitation)}" lang="${language.tag}">
<div style="display: none; max-height: 0; overflow: hidden">${language.lead(invitation)}</div>
<table role="presentation" class="background" width="100%" cellpadding="0" cellspacing="0" border="0" style="background: ${light.background}">
<tr><td class="outer" align="center" style="padding: 24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 560px; background: ${light.card}; border-top: 6px solid ${accentColor}">
<tr><td class="inner" style="padding: 32px 36px; text-align: left">
${masthead(publication, invitation.publication)}
<h1 class="text" style="margin: 0 0 16px; ${font}; font-size: 24px; line-height: 30px; font-weight: 700; color: ${light.text}">${language.title(invitation)}</h1>
<p class="text" style="${text}">${language.lead(invitation)}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="margin: 0 0 24px">
${facts.map(([label, value]) => fact(label, value))}
</table>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 20px">
<tr><td bgcolor="${accentColor}" style="border-radius: 6px; background: ${accentColor}"><a href="${link}" style="display: inline-block; padding: 13px 24px; border: 1px solid ${textOn(accentColor)}; border-radius: 6px; ${font}; font-size: 16px; line-height: 22px; font-weight: 700; color: ${textOn(accentColor)}; text-decoration: none">${language.action}</a></td></tr>
</table>
<p class="text" style="${text}">${language.mail.once(until)}</p>
<p class="quiet" style="${quiet}">${language.mail.otherwise}<br><a href="${link}" style="color: ${light.quiet}; word-break: break-all">${link}</a></p>
<h2 class="text" style="margin: 28px 0 4px; ${font}; font-size: 16px; line-height: 24px; font-weight: 700; color: ${light.text}">${language.mail.mistakeTitle}</h2>
<p class="quiet" style="${quiet}">${language.mail.mistake(invitation)}</p>
</td></tr>
</table>
<p class="quiet" style="${quiet}; margin: 16px 0 0"><a href="${publication.url}" style="color: ${light.quiet}">${invitation.publication}</a></p>
</td></tr>
</table>
</div>
</body>
</html>
`;
};

/** The logo, whose alternative text is the name, styled so that it stands for it where images are off; else the name. */
const masthead = ({ logoUrl }: Settings['publication'], name: string): Html => {
  const style = `margin: 0 0 24px; ${font}; font-size: 18px; line-height: 24px; font-weight: 700; color: ${light.text}`;
  return logoUrl === undefined
    ? html`<p class="text" style="${style}">${name}</p>`
    : html`<p class="text" style="${style}"><img src="${logoUrl}" alt="${name}" height="40" style="height: 40px; width: auto; max-width: 220px; border: 0"></p>`;
};

const fact = (label: string, value: string): Html => {
  const cell = `padding: 3px 0; vertical-align: top; ${font}; font-size: 15px; line-height: 22px`;
  return html`<tr><td class="fact quiet" width="130" style="${cell}; padding-right: 12px; color: ${light.quiet}">${label}</td><td class="fact value text" style="${cell}; color: ${light.text}; word-break: break-word">${value}</td></tr>
`;
};
