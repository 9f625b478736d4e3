/** The page of the mailbox: the mails of the local stack, newest first, as their recipients see them. */
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; --text: #1c1c1e; --quiet: #48484a; --background: #f2f2f0; --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f2f2f0; --quiet: #c7c7cc; --background: #141416; --card: #1f1f22; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; background: var(--background); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
main { max-width: 50rem; margin: 0 auto; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0; font-size: 1.125rem; }
ol { margin: 0; padding: 0; list-style: none; }
li { margin-top: 1rem; padding: 1rem; border-radius: 12px; background: var(--card); }
p { margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .9375rem; }
.mail { margin-top: .75rem; border-radius: 8px; overflow: hidden; background: #ffffff; color: #1c1c1e; color-scheme: light; }
pre { margin: .5rem 0 0; font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; }
summary { margin-top: .5rem; cursor: pointer; }
button { padding: .5rem 1rem; border: 1px solid var(--quiet); border-radius: 8px; background: none; color: inherit; font: inherit; cursor: pointer; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
`;

/** Shows each mail once, newest first. Its styles stay in its shadow root, and the policy blocks its scripts. */
const script = `
const list = document.querySelector('ol'), state = document.querySelector('[role=status]'), clear = document.querySelector('#clear');
const element = (name, text = '', options = {}) => Object.assign(document.createElement(name), { textContent: text }, options);
const folded = (summary, text) => {
  const details = element('details');
  details.append(element('summary', summary), element('pre', text));
  return details;
};
const said = { bounce: 'It bounced: the address does not exist.', complaint: 'Its recipient called it spam.' };
const feedbackOn = (id) => {
  const row = element('p'), result = element('span', '', { role: 'status', className: 'quiet' });
  for (const [kind, label] of [['bounce', 'Let it bounce'], ['complaint', 'Report as spam']]) {
    const button = element('button', label, { type: 'button' });
    button.addEventListener('click', async () => {
      const answer = await fetch(kind + '/' + id, { method: 'POST' }).catch(() => undefined);
      result.textContent = answer?.ok ? said[kind] : 'The stack does not answer.';
    });
    row.append(button, ' ');
  }
  row.append(result);
  return row;
};
const itemOf = ({ messageId, from, destination, subject, body, at, source, tags }) => {
  const item = document.createElement('li'), time = new Date(at * 1000);
  const details = folded('As text', body.text ?? '');
  item.append(
    element('h2', subject),
    element('p', 'To ' + destination.to.join(', ') + ' · from ' + from, { className: 'quiet' }),
    element('time', time.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' }), { className: 'quiet', dateTime: time.toISOString() }),
  );
  if (body.html) {
    const mail = new DOMParser().parseFromString(body.html, 'text/html'), place = element('div', '', { className: 'mail' });
    for (const link of mail.querySelectorAll('a')) Object.assign(link, { target: '_blank', rel: 'noopener' });
    const whole = element('div');
    whole.style.cssText = mail.body.style.cssText;
    whole.append(...mail.querySelectorAll('style'), ...mail.body.childNodes);
    place.attachShadow({ mode: 'open' }).append(whole);
    item.append(place);
  } else details.open = true;
  item.append(details);
  if (tags?.invite) item.append(feedbackOn(messageId));
  if (source) item.append(folded('Source', source));
  return item;
};
let shown = 0;
const look = async () => {
  const answer = await fetch('store').catch(() => undefined);
  if (!answer?.ok) { state.textContent = 'The stack does not answer. Reload the page after it has started.'; return; }
  const { emails } = await answer.json();
  if (emails.length < shown) { list.replaceChildren(); shown = 0; }
  list.prepend(...emails.slice(shown).map(itemOf).reverse());
  shown = emails.length;
  clear.hidden = shown === 0;
  const text = shown === 0 ? 'No mail has been sent yet.' : (shown === 1 ? '1 mail' : shown + ' mails, newest first') + '.';
  if (state.textContent !== text) state.textContent = text;
};
clear.addEventListener('click', async () => { await fetch('clear-store', { method: 'POST' }); await look(); });
look();
setInterval(() => { if (!document.hidden) look(); }, 1000);
`;

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the script of the page, requests to its own origin, and the styles and pictures of mails; nothing else. */
export const mailboxPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src ${hash(script)}`,
  'img-src data: http: https:',
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const mailboxPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Mailbox</h1>
<p>Mails of this machine's stack. None leaves it, and new ones appear by themselves.</p>
<p role="status"></p>
<button type="button" id="clear" hidden>Clear</button>
<ol></ol>
</main>
<script>${script}</script>
</body>
</html>`;
