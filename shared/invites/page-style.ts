/** The style sheet of the invitation's page; it stands in the page, and the policy of the page allows it by its hash. */
import { createHash } from 'node:crypto';
import type { Settings } from '../foundation/settings.ts';
import { colours, textOn } from './colours.ts';

const variables = (palette: Readonly<Record<string, string>>): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');

/** The sheet with the publication's colour in it. */
export const pageStyle = ({ accentColor }: Settings['publication']): string => `
:root { color-scheme: light dark; ${variables(colours.light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(colours.dark)} } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--background); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem; background: var(--card); border-top: 6px solid ${accentColor}; }
.masthead { margin: 0 0 1.5rem; font-size: 1.125rem; font-weight: 700; }
.masthead img { display: block; height: 2.5rem; max-width: 100%; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.2; }
p { margin: 0 0 1rem; }
a { color: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .375rem 1.25rem; margin: 0 0 1.75rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
label { display: block; font-weight: 700; }
.hint { margin: 0 0 .375rem; color: var(--quiet); }
.error { margin: 0 0 .375rem; color: var(--error); font-weight: 700; }
input { width: 100%; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: var(--text); font: inherit; }
input[aria-invalid] { border: 2px solid var(--error); }
button { margin: 1.25rem 0 1.5rem; padding: .75rem 1.5rem; border: 1px solid ${textOn(accentColor)}; border-radius: 6px;
  background: ${accentColor}; color: ${textOn(accentColor)}; font: inherit; font-weight: 700; cursor: pointer; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
.quiet { margin: 0; color: var(--quiet); font-size: .9375rem; }
@media (max-width: 30rem) {
  body { padding: 0; background: var(--card); }
  main { padding: 1.5rem 1.25rem; }
  dl { display: block; }
  dd { margin: 0 0 .625rem; }
}
`;

/** What the page may do: show this sheet and the logo, and post its form to where it came from. Nothing runs, nothing is fetched. */
export const contentSecurityPolicy = (publication: Settings['publication']): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(pageStyle(publication)).digest('base64')}'`,
    ...(publication.logoUrl === undefined ? [] : [`img-src ${new URL(publication.logoUrl).origin}`]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
