/** Draws what arrives at each recipe's service, from the request of a preview, in about the form of the service. */
import * as v from 'valibot';
import { newPreview, previewOf } from '../../shared/deliveries/log/preview.ts';
import { settingsText } from '../support/settings-text.ts';

// A preview checks that the format fits every event that the stage has.
process.env.SETTINGS = settingsText();

const rules = { ownEvents: [], targets: { allowHttp: false, allowRanges: [] } };

/** The time of the example, in epoch ms. */
const at = Date.UTC(2026, 10, 22, 6, 0, 0);

// biome-ignore lint/suspicious/noExplicitAny: the body of a request is read as its receiver would
type Body = any;

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const requestFor = (event: string, target_url: string, format: object): Request =>
  previewOf(v.parse(newPreview(rules), { event, target_url, options: { format } }), at);

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Returns a text of Slack as it is shown. */
const fromSlack = (text: string): string =>
  escaped(text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&'));

const slackPicture = ({ body }: Request): string => {
  const blocks: Body[] = JSON.parse(body).blocks;
  const shown = blocks.map(({ type, text, elements = [] }) => {
    if (type === 'header') return `<h2>${escaped(text.text)}</h2>`;
    if (type === 'section') return `<p>${escaped(text.text)}</p>`;
    const parts = elements.map(({ text: part }: Body) => {
      const [, url, label] = /^<([^|]+)\|(.+)>$/.exec(part) ?? [];
      return url === undefined ? fromSlack(part) : `<a href="${escaped(url)}">${escaped(label ?? '')}</a>`;
    });
    return `<p class="quiet">${parts.join(' &nbsp; ')}</p>`;
  });
  return (
    '<div class="message"><div class="face">M</div><div><b>Masthead</b> <span class="tag">APP</span> <span ' +
    `class="quiet">6:00 AM</span>${shown.join('')}</div></div>`
  );
};

const discordPicture = ({ body }: Request): string => {
  const [embed]: Body[] = JSON.parse(body).embeds;
  const text = (markdown: string): string => escaped(markdown.replace(/\\(.)/g, '$1').replaceAll('\u200b', ''));
  return `<div class="message dark"><div class="face round">M</div><div><b>Masthead</b> <span class="tag">APP</span> <span class="quiet">Today at 6:00 AM</span>
    <div class="embed"><small>${escaped(embed.author.name)}</small><h3><a href="${escaped(embed.url)}">${text(embed.title)}</a></h3><p>${text(embed.description)}</p><div class="photo">${escaped(embed.image.url.replace(/^.*\//, ''))}</div><small class="quiet">${escaped(embed.timestamp.slice(0, 10))}</small></div></div></div>`;
};

const teamsPicture = ({ body }: Request): string => {
  const card: Body = JSON.parse(body).attachments[0].content;
  const runs = card.body.map(
    ({ inlines: [run] }: Body) =>
      `<p class="${run.isSubtle ? 'quiet' : ''}" style="font-weight:${run.weight === 'bolder' ? 700 : 400}">${escaped(run.text.replaceAll('\u200b', ''))}</p>`,
  );
  const buttons = card.actions.map(({ title }: Body) => `<span class="button">${escaped(title)}</span>`);
  return (
    '<div class="message"><div class="face">W</div><div><b>Workflows</b> <span class="quiet">06:00</span><div ' +
    `class="card">${runs.join('')}${buttons.join('')}</div></div></div>`
  );
};

const code = (text: string): string => `<pre>${escaped(text)}</pre>`;
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
const shortened = (text: string, lines: number): string => {
  const all = text.split('\n');
  return all.length <= lines ? text : [...all.slice(0, lines), '  …'].join('\n');
};

const githubPicture = ({ body }: Request): string => {
  const { event_type, client_payload }: Body = JSON.parse(body);
  return `<div class="run"><span class="dot"></span><div><b>Build the site</b><br><span class="quiet">Repository dispatch: ${escaped(event_type)}</span></div></div>${code(
    `github.event.client_payload.event              ${client_payload.event}\ngithub.event.client_payload.payload.post
  .current.title                               ${client_payload.payload.post.current.title}
  .current.slug                                ${client_payload.payload.post.current.slug}`,
  )}`;
};

const deployPicture = ({ url, headers }: Request): string =>
  `<div class="run"><span class="dot"></span><div><b>Production deployment</b><br><span class="quiet">Triggered by the hook</span></div></div>${code(
    `POST ${new URL(url).pathname}\nHost: ${new URL(url).host}\nContent-Length: ${headers['Content-Length']}\nMasthead-Trigger: ${headers['Masthead-Trigger']}`,
  )}`;

const searchPicture =
  (documentOf: (body: Body) => Body) =>
  ({ url, body }: Request): string => {
    const { title, excerpt, url: link, tags, authors } = documentOf(JSON.parse(body));
    return `<div class="hit"><h3>${escaped(title)}</h3><p>${escaped(excerpt)}</p><p class="quiet">${escaped(link)}<br>${escaped([...authors, ...tags].join(' · '))}</p></div>${code(
      `POST ${new URL(url).pathname}\n${shortened(indented(body), 8)}`,
    )}`;
  };

interface Picture {
  readonly request: Request;
  readonly draw: (request: Request) => string;
}

export const recipePictures: Readonly<Record<string, Picture>> = {
  slack: {
    request: requestFor('post.published', 'https://hooks.slack.com/services/T000/B000/XXXX', { type: 'slack' }),
    draw: slackPicture,
  },
  discord: {
    request: requestFor('post.published', 'https://discord.com/api/webhooks/000/XXXX', { type: 'discord' }),
    draw: discordPicture,
  },
  teams: {
    request: requestFor('post.published', 'https://prod-00.westeurope.logic.azure.com/workflows/XXXX', {
      type: 'teams',
    }),
    draw: teamsPicture,
  },
  'github-actions': {
    request: requestFor('post.published', 'https://api.github.com/repos/OWNER/REPOSITORY/dispatches', {
      type: 'github',
      token: null,
    }),
    draw: githubPicture,
  },
  'deploy-hooks': {
    request: requestFor('site.changed', 'https://api.netlify.com/build_hooks/XXXX', { type: 'deploy-hook' }),
    draw: deployPicture,
  },
  meilisearch: {
    request: requestFor('post.published', 'https://search.example.com/indexes/posts/documents', {
      type: 'meilisearch',
      api_key: null,
    }),
    draw: searchPicture(([document]) => document),
  },
  algolia: {
    request: requestFor('post.published', 'https://YOURAPPID.algolia.net/1/indexes/posts/batch', {
      type: 'algolia',
      application_id: 'YOURAPPID',
      api_key: null,
    }),
    draw: searchPicture(({ requests: [{ body }] }) => body),
  },
};

const style = `
  body { margin: 0; padding: 16px; font: 14px/1.45 system-ui, "Noto Sans", sans-serif; color: #1d1c1d; background: #fff }
  h2, h3, p { margin: 4px 0 } h2 { font-size: 17px } h3 { font-size: 15px }
  a { color: #1264a3; text-decoration: none }
  .quiet { color: #616061; font-size: 12px }
  .tag { padding: 0 3px; border-radius: 2px; background: #e2e2e2; font-size: 10px; font-weight: 700 }
  .message, .run { display: flex; gap: 10px }
  .face { flex: none; display: grid; place-items: center; width: 36px; height: 36px; border-radius: 6px; background: #7a1f3d; color: #fff; font-weight: 700 }
  .face.round { border-radius: 50% }
  .dark { margin: -16px; padding: 16px; background: #313338; color: #dbdee1 } .dark a { color: #00a8fc } .dark .quiet { color: #949ba4 } .dark .tag { background: #5865f2; color: #fff }
  .embed { max-width: 400px; margin-top: 6px; padding: 8px 12px; border-left: 4px solid #1e1f22; border-radius: 4px; background: #2b2d31 }
  .photo { display: grid; place-items: center; height: 90px; margin: 6px 0; border-radius: 4px; background: #404249; font-size: 12px }
  .card { width: 420px; margin-top: 6px; padding: 8px 14px 12px; border: 1px solid #e1e1e1; border-radius: 6px }
  .button { display: inline-block; margin-top: 6px; padding: 4px 12px; border: 1px solid #c7c7c7; border-radius: 4px; font-weight: 600 }
  .run { align-items: center; margin-bottom: 10px } .dot { width: 14px; height: 14px; border-radius: 50%; background: #1a7f37 }
  .hit { margin-bottom: 10px; padding: 8px 14px; border: 1px solid #d5d9e0; border-radius: 6px }
  pre { margin: 0; padding: 10px 12px; border-radius: 6px; background: #f6f8fa; font: 12px/1.5 "Noto Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere }
`;

/** Returns the page of a picture. */
export const pageOf = ({ request, draw }: Picture): string =>
  '<!doctype html><html lang="en"><meta ' +
  `charset="utf-8"><title>Picture</title><style>${style}</style><body>${draw(request)}</body></html>`;
