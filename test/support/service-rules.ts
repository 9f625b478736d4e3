/** The published rules of the services that formats are for, as a receiver enforces them: each returns what it would refuse. */

/** Every string in a value, wherever it is. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

// biome-ignore lint/suspicious/noExplicitAny: the body of a request is read as its receiver would
type Body = any;

const notWellFormed = (body: Body): string[] => stringsIn(body).filter((text) => !text.isWellFormed());

const tooLong = (texts: readonly [string, unknown, number][]): string[] =>
  texts.flatMap(([name, text, limit]) =>
    text === undefined || (typeof text === 'string' && text.length > 0 && text.length <= limit)
      ? []
      : [`${name}: ${text}`],
  );

/** https://docs.slack.dev/reference/block-kit/blocks/ and https://docs.slack.dev/messaging/formatting-message-text/ */
export const slackRefuses = (body: Body): string[] => {
  const blocks: Body[] = body.blocks;
  const marked = [body.text, ...blocks.flatMap(({ elements = [] }) => elements.map(({ text }: Body) => text))];
  return [
    ...notWellFormed(body),
    ...(blocks.length > 50 ? ['too many blocks'] : []),
    ...tooLong([['text', body.text, 40_000]]),
    ...blocks.flatMap(({ type, text, elements = [] }) => {
      if (type === 'header') return tooLong([['header', text.text, 150]]);
      if (type === 'section') return tooLong([['section', text.text, 3000]]);
      return type === 'context' && elements.length <= 10 ? [] : [`block ${type}`];
    }),
    // Our own links are the only thing in angle brackets.
    ...marked
      .map((text: string) => text.replace(/<https?:\/\/[^<>|]*\|Open the page>/g, ''))
      .filter((text: string) => /[<>]|&(?!amp;|lt;|gt;)/.test(text)),
  ];
};

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
export const discordRefuses = (body: Body): string[] => {
  const [embed] = body.embeds;
  const all = [embed.title, embed.description ?? '', embed.author?.name ?? ''].join('');
  return [
    ...notWellFormed(body),
    ...tooLong([
      ['content', body.content, 2000],
      ['title', embed.title, 256],
      ['description', embed.description, 4096],
      ['author', embed.author?.name, 256],
    ]),
    ...(all.length > 6000 || body.embeds.length > 10 ? ['too much'] : []),
    ...(JSON.stringify(body.allowed_mentions) === '{"parse":[]}' ? [] : ['mentions are allowed']),
    ...[embed.title, embed.description ?? ''].filter((text) =>
      /@(?!\u200b)|(?<!\\)(?:\\\\)*[*_~`|<>#[\]()]/.test(text),
    ),
  ];
};

/** https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format */
export const teamsRefuses = (body: Body): string[] => {
  const card = body.attachments[0].content;
  const runs: Body[] = card.body.flatMap(({ inlines }: Body) => inlines);
  return [
    ...notWellFormed(body),
    ...(Buffer.byteLength(JSON.stringify(body)) > 28 * 1024 ? ['over 28 KB'] : []),
    ...(card.body.every(({ type }: Body) => type === 'RichTextBlock') ? [] : ['has Markdown']),
    ...(runs.length > 0 && runs.every(({ text }) => text !== '') ? [] : ['an empty run']),
    ...runs.map(({ text }) => text).filter((text) => /\{\{|<at>/.test(text)),
    ...('msteams' in card ? ['mentions somebody'] : []),
  ];
};

/** https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event */
export const githubRefuses = (body: Body): string[] => [
  ...(Object.keys(body).join() === 'event_type,client_payload' ? [] : ['other keys']),
  ...tooLong([['event_type', body.event_type, 100]]),
  ...(Object.keys(body.client_payload).length > 10 ? ['more than 10 properties'] : []),
  ...(JSON.stringify(body.client_payload).length > 65_535 ? ['over 64 KB'] : []),
];

const documentRefused = (id: unknown, document: Body): string[] => [
  ...(typeof id === 'string' && /^[\w-]{1,511}$/.test(id) ? [] : [`id ${id}`]),
  ...notWellFormed(document),
  ...(Buffer.byteLength(JSON.stringify(document)) > 10_000 ? ['over 10 KB'] : []),
];

/** https://www.meilisearch.com/docs/reference/api/documents: a list of documents, or of ids to delete. */
export const meilisearchRefuses = (body: Body): string[] =>
  body.flatMap((one: Body) => (typeof one === 'string' ? documentRefused(one, {}) : documentRefused(one.id, one)));

/** https://www.algolia.com/doc/rest-api/search/batch */
export const algoliaRefuses = ({ requests }: Body): string[] =>
  requests.flatMap(({ action, body }: Body) => [
    ...(['updateObject', 'deleteObject'].includes(action) ? [] : [`action ${action}`]),
    ...documentRefused(body.objectID, body),
  ]);
