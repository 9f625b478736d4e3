/** The page of the demo's receiver: its requests, newest first, with checked signatures and indented bodies. */
import { createHash } from 'node:crypto';
import { type Html, html } from '../../../shared/foundation/html.ts';
import { type Behaviour, behaviours } from './behaviours.ts';
import type { ReceivedRequest } from './received-request.ts';
import { checkSignatures } from './signatures.ts';

const style = `
:root { color-scheme: light dark; --text: #1c1c1e; --quiet: #48484a; --background: #f2f2f0; --card: #ffffff; --error: #8f1414; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f2f2f0; --quiet: #c7c7cc; --background: #141416; --card: #1f1f22; --error: #ffb4ab; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; background: var(--background); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
main { max-width: 50rem; margin: 0 auto; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0; font-size: 1.125rem; }
ol { margin: 0; padding: 0; list-style: none; }
li.request { margin-top: 1rem; padding: 1rem; border-radius: 12px; background: var(--card); }
p { margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .9375rem; }
.invalid { color: var(--error); font-weight: 700; }
ul { margin: .5rem 0; padding-left: 1.25rem; }
code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: .5rem 0 0; white-space: pre-wrap; }
summary { margin-top: .5rem; cursor: pointer; }
dl { margin: .5rem 0 0; font-size: .875rem; }
dt { color: var(--quiet); }
dd { margin: 0 0 .25rem; }
fieldset { margin: 1rem 0 0; padding: .75rem 1rem; border: 1px solid var(--quiet); border-radius: 12px; }
label { display: inline-block; margin-right: 1rem; padding: .25rem 0; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
`;

/** Adds what arrived since the page was loaded, on top; details that are open stay open. */
const script = `
const list = document.querySelector('ol'), state = document.querySelector('[role=status]');
document.querySelector('fieldset').addEventListener('change', ({ target }) => {
  fetch('behaviour/' + target.value, { method: 'POST' });
});
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) { state.textContent = 'The stack does not answer. Reload the page after it has started.'; return; }
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const known = new Set([...list.children].map((item) => item.id));
  const arrived = [...fresh.querySelectorAll('li.request')].filter((item) => !known.has(item.id));
  if (arrived.length > 0) list.prepend(...arrived);
  const text = fresh.querySelector('[role=status]').textContent;
  if (state.textContent !== text) state.textContent = text;
}, 1000);
`;

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the style and the script of the page, and requests to its own origin; nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Shown {
  readonly requests: readonly ReceivedRequest[];
  readonly secrets: readonly string[];
  readonly target: string;
  readonly behaviour: Behaviour;
}

/** Returns the page's HTML. */
export const receiverPage = ({ requests, secrets, target, behaviour }: Shown): string => {
  const count = requests.length === 1 ? '1 request' : `${requests.length} requests`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demo receiver</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1>Demo receiver</h1>
<p>Target for webhooks: <code>${target}</code>, or any other path. New requests appear by themselves.</p>
<p>These paths always answer the same: ${fixedPaths}.</p>
<fieldset>
<legend>Answer the next requests with</legend>
${Object.entries(behaviours).map(([name, { text }]) => choice(name, text, name === behaviour))}
</fieldset>
<p role="status">${requests.length === 0 ? 'No request has arrived yet.' : `${count}, newest first.`}</p>
<ol>${requests.toReversed().map((request) => itemOf(request, secrets))}</ol>
</main>
<script>${{ html: script }}</script>
</body>
</html>`.html;
};

const fixedPaths = Object.values(behaviours).flatMap(({ path, text }, index) =>
  path === undefined ? [] : [html`${index > 1 ? ', ' : ''}<code>/${path}</code> (${text})`],
);

const choice = (name: string, text: string, isChosen: boolean): Html =>
  html`<label><input type="radio" name="behaviour" value="${name}"${isChosen ? html` checked` : undefined}> ${text}</label>`;

const itemOf = (request: ReceivedRequest, secrets: readonly string[]): Html => {
  const { at, path, headers, body } = request;
  const time = new Date(at).toISOString();
  const attempt = headers['masthead-attempt'];
  return html`
<li class="request" id="${`r-${headers['webhook-id'] ?? ''}-${at}-${attempt ?? ''}`}">
<h2>${eventOf(body) ?? 'A request'}</h2>
<p class="quiet"><time datetime="${time}">${time.slice(11, 23)} UTC</time> · POST <code>${path}</code>${attempt === undefined ? undefined : ` · attempt ${attempt}`}</p>
<ul aria-label="Signatures">${signaturesOf(request, secrets)}</ul>
<pre>${pretty(body)}</pre>
<details><summary>Headers</summary>
<dl>${Object.entries(headers).map(([name, value]) => html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`)}</dl>
</details>
</li>`;
};

/** Tries every secret, because the request does not name its webhook. */
const signaturesOf = (request: ReceivedRequest, secrets: readonly string[]): readonly Html[] => {
  const valid = new Set(
    secrets.flatMap((secret) =>
      checkSignatures(request, secret)
        .filter((check) => check.valid)
        .map(({ name }) => name),
    ),
  );
  return ['X-Ghost-Signature', 'webhook-signature'].map((name) => {
    if (request.headers[name.toLowerCase()] === undefined) return html`<li>${name}: not sent</li>`;
    if (valid.has(name)) return html`<li>✓ ${name}: valid</li>`;
    return html`<li class="invalid">✗ ${name}: no webhook with this target has a secret that made it</li>`;
  });
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const eventOf = (body: string): string | undefined => {
  const content = parsed(body);
  const event = typeof content === 'object' && content !== null ? Reflect.get(content, 'event') : undefined;
  return typeof event === 'string' ? event : undefined;
};

const pretty = (body: string): string => {
  const content = parsed(body);
  return content === undefined ? body : JSON.stringify(content, null, 2);
};
