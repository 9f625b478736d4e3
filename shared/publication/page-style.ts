/** The style sheet of the pages behind links in mails, part of each page, and the policy that allows its hash. */
import { createHash } from 'node:crypto';
import type { Settings } from '../foundation/settings.ts';
import { colours, textOn } from './colours.ts';

const variables = (palette: Readonly<Record<string, string>>): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');

/** Returns the sheet with the publication's colour. Narrow pages have room above the heading, for its high letters. */
export const pageStyle = ({ accentColor }: Settings['publication']): string => `
:root { color-scheme: light dark; ${variables(colours.light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(colours.dark)} } }
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(1.5rem, 8vh, 5rem) 1rem 2rem; border-top: 6px solid ${accentColor};
  background: var(--background); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
header, main, footer { max-width: 30rem; margin: 0 auto; }
header { margin-bottom: 1.25rem; font-size: 1.125rem; font-weight: 700; }
header img { display: block; height: 2.5rem; max-width: 100%; }
main { padding: 2rem; border-radius: 12px; background: var(--card); }
footer { margin-top: 1.25rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
a { color: inherit; }
label { display: block; margin-top: 1.25rem; font-weight: 700; }
.hint { margin: 0 0 .375rem; }
.hint, .quiet, footer { color: var(--quiet); font-size: .9375rem; }
.error { margin: 0 0 .375rem; color: var(--error); font-weight: 700; }
input { width: 100%; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card); color: var(--text); font: inherit; }
input[aria-invalid] { border: 2px solid var(--error); }
.action { display: inline-block; margin: .25rem 0 .5rem; padding: .75rem 1.5rem;
  border: 1px solid ${textOn(accentColor)}; border-radius: 8px; background: ${accentColor};
  color: ${textOn(accentColor)}; font: inherit; font-weight: 700; text-align: center;
  text-decoration: none; cursor: pointer; }
button.action { margin: 1rem 0 1.5rem; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
@media (max-width: 30rem) {
  body { padding: 1.25rem; background: var(--card); }
  main { padding: .125rem 0 0; border-radius: 0; }
  .action { display: block; width: 100%; }
}
`;

/** Returns the page's policy: it shows sheet and logo and posts its form to its own origin; no script runs. */
export const contentSecurityPolicy = (publication: Settings['publication']): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(pageStyle(publication)).digest('base64')}'`,
    ...(publication.logoUrl === undefined ? [] : [`img-src ${new URL(publication.logoUrl).origin}`]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
