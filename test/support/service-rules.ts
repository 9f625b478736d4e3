/**
 * The services' published rules, as a receiver enforces them. `lab/reports/service-rules.md` lists them, which a test
 * compares (`test/unit/recipes.test.ts`).
 */

// biome-ignore lint/suspicious/noExplicitAny: the body of a request is read as its receiver would
type Body = any;

interface ServiceRule {
  /** A sentence. */
  readonly rule: string;
  readonly documentation: string;
  readonly violations: (body: Body) => readonly unknown[];
}

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

/** Texts that are empty, or longer than a limit in UTF-16 code units; undefined is no text. */
const unfit = (texts: readonly unknown[], limit: number): readonly unknown[] =>
  texts.filter((text) => text !== undefined && !(typeof text === 'string' && text !== '' && text.length <= limit));

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const unless = (isRight: boolean, violation: unknown): readonly unknown[] => (isRight ? [] : [violation]);

/** Every service reads JSON with whole characters (RFC 8259, 8.1). */
const wholeCharacters: ServiceRule = {
  rule: 'Texts are well-formed Unicode.',
  documentation: 'https://www.rfc-editor.org/rfc/rfc8259#section-8.1',
  violations: (body) => stringsIn(body).filter((text) => !text.isWellFormed()),
};

const slackBlocks = 'https://docs.slack.dev/reference/block-kit/blocks';
const blocksOf = (body: Body, type: string): Body[] => body.blocks.filter((block: Body) => block.type === type);
const marked = (body: Body): string[] => [
  body.text,
  ...body.blocks.flatMap(({ elements = [] }: Body) => elements.map(({ text }: Body) => text)),
];
/** Our own links are the only thing in angle brackets. */
const withoutLinks = (text: string): string => text.replace(/<https?:\/\/[^<>|]*\|Open the page>/g, '');

const slack: readonly ServiceRule[] = [
  {
    rule: 'A message has at most 50 blocks.',
    documentation: `${slackBlocks}/`,
    violations: ({ blocks }) => unless(blocks.length <= 50, blocks.length),
  },
  {
    rule: 'A header has 1 to 150 characters of plain text.',
    documentation: `${slackBlocks}/header-block/`,
    violations: (body) =>
      blocksOf(body, 'header').flatMap(({ text }) => [
        ...unfit([text.text], 150),
        ...unless(text.type === 'plain_text', text.type),
      ]),
  },
  {
    rule: 'A section has 1 to 3,000 characters.',
    documentation: `${slackBlocks}/section-block/`,
    violations: (body) =>
      unfit(
        blocksOf(body, 'section').map(({ text }) => text.text),
        3000,
      ),
  },
  {
    rule: 'A context has 1 to 10 elements, each of 1 to 3,000 characters.',
    documentation: `${slackBlocks}/context-block/`,
    violations: (body) =>
      blocksOf(body, 'context').flatMap(({ elements }) => [
        ...unless(elements.length > 0 && elements.length <= 10, elements.length),
        ...unfit(
          elements.map(({ text }: Body) => text),
          3000,
        ),
      ]),
  },
  {
    rule: 'The text of a notification is cut after 40,000 characters; we send 3,000 at most.',
    documentation: 'https://docs.slack.dev/reference/methods/chat.postMessage/',
    violations: ({ text }) => unfit([text], 3000),
  },
  {
    rule:
      'In text with markup, `&`, `<` and `>` are escaped, so that nothing becomes a mention such as `<!channel>` or ' +
      'a link.',
    documentation: 'https://docs.slack.dev/messaging/formatting-message-text/',
    violations: (body) => marked(body).filter((text) => /[<>]|&(?!amp;|lt;|gt;)/.test(withoutLinks(text))),
  },
];

const discordLimits = 'https://discord.com/developers/docs/resources/message#embed-object-embed-limits';

const discord: readonly ServiceRule[] = [
  {
    rule: 'A message has at most 10 embeds, and at most 2,000 characters of content.',
    documentation: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
    violations: ({ embeds, content }) => [...unless(embeds.length <= 10, embeds.length), ...unfit([content], 2000)],
  },
  {
    rule: 'A title and an author have at most 256 characters, a description 4,096.',
    documentation: discordLimits,
    violations: ({ embeds }) =>
      embeds.flatMap(({ title, author, description }: Body) => [
        ...unfit([title, author?.name], 256),
        ...unfit([description], 4096),
      ]),
  },
  {
    rule: 'All embeds have at most 6,000 characters together.',
    documentation: discordLimits,
    violations: ({ embeds }) => {
      const texts = embeds.flatMap(({ title = '', author, description = '' }: Body) => [
        title,
        author?.name ?? '',
        description,
      ]);
      return unless(texts.join('').length <= 6000, 'too much text');
    },
  },
  {
    rule: 'Nobody is mentioned: `allowed_mentions` allows no kind of mention.',
    documentation: 'https://discord.com/developers/docs/resources/message#allowed-mentions-object',
    violations: ({ allowed_mentions }) =>
      unless(JSON.stringify(allowed_mentions) === '{"parse":[]}', allowed_mentions ?? 'all mentions'),
  },
  {
    rule: 'Markdown in titles and descriptions is escaped.',
    documentation: 'https://support.discord.com/hc/articles/210298617',
    violations: ({ embeds }) =>
      embeds
        .flatMap(({ title, description = '' }: Body) => [title, description])
        .filter((text: string) => /@(?!\u200b)|(?<!\\)(?:\\\\)*[*_~`|<>#[\]()]/.test(text)),
  },
];

const cardOf = (body: Body): Body => body.attachments[0].content;
const runsOf = (body: Body): Body[] => cardOf(body).body.flatMap(({ inlines = [] }: Body) => inlines);

const teams: readonly ServiceRule[] = [
  {
    rule: 'A message has at most 28 KB.',
    documentation:
      'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    violations: (body) => unless(bytesOf(body) <= 28 * 1024, `${bytesOf(body)} bytes`),
  },
  {
    rule: 'A message is one Adaptive Card as an attachment.',
    documentation:
      'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using',
    violations: (body) =>
      unless(
        body.type === 'message' &&
          body.attachments.length === 1 &&
          body.attachments[0].contentType === 'application/vnd.microsoft.card.adaptive' &&
          cardOf(body).type === 'AdaptiveCard',
        body,
      ),
  },
  {
    rule: 'Text of a post is in a `RichTextBlock`, which has no Markdown, and no run of it is empty.',
    documentation: 'https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features',
    violations: (body) => [
      ...cardOf(body).body.filter(({ type }: Body) => type !== 'RichTextBlock'),
      ...runsOf(body).filter(({ text }) => text === ''),
    ],
  },
  {
    rule: 'Nobody is mentioned: there is no `<at>`, and no list of mentions.',
    documentation:
      'https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format#mention-support-within-adaptive-cards',
    violations: (body) => [
      ...runsOf(body).filter(({ text }) => /<at>/.test(text)),
      ...unless(!('msteams' in cardOf(body)), 'msteams'),
    ],
  },
  {
    rule: 'No text calls a function of cards such as `{{DATE(…)}}`.',
    documentation: 'https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features',
    violations: (body) => runsOf(body).filter(({ text }) => /\{\{/.test(text)),
  },
];

const dispatch = 'https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event';

const github: readonly ServiceRule[] = [
  {
    rule: '`event_type` has at most 100 characters.',
    documentation: dispatch,
    violations: ({ event_type }) => unfit([event_type ?? ''], 100),
  },
  {
    rule: '`client_payload` has at most 10 properties at its top.',
    documentation: dispatch,
    violations: ({ client_payload }) =>
      unless(Object.keys(client_payload).length <= 10, Object.keys(client_payload).length),
  },
  {
    rule: 'The payload has less than 64 KB.',
    documentation: dispatch,
    violations: (body) => unless(bytesOf(body) < 64 * 1024, `${bytesOf(body)} bytes`),
  },
];

const hook: ServiceRule = {
  rule: 'A POST without a body starts a deployment.',
  documentation: '',
  violations: (body) => unless(body === undefined, body),
};

const deployHook: readonly ServiceRule[] = [
  { ...hook, documentation: 'https://docs.netlify.com/build/configure-builds/build-hooks/' },
  { ...hook, documentation: 'https://vercel.com/docs/deploy-hooks' },
  { ...hook, documentation: 'https://developers.cloudflare.com/pages/configuration/deploy-hooks/' },
];

const isId = (id: unknown): boolean => typeof id === 'string' && /^[\w-]{1,511}$/.test(id);

const meilisearch: readonly ServiceRule[] = [
  {
    rule: 'A list of documents to add or replace, or of ids to delete.',
    documentation: 'https://www.meilisearch.com/docs/reference/api/documents',
    violations: (body) =>
      unless(Array.isArray(body) && (body.every(isId) || body.every((one: Body) => typeof one === 'object')), body),
  },
  {
    rule: 'An id has letters, digits, `-` and `_`, at most 511.',
    documentation: 'https://www.meilisearch.com/docs/resources/internals/primary_key#document-id',
    violations: (body) =>
      body.map((one: Body) => (typeof one === 'string' ? one : one.id)).filter((id: unknown) => !isId(id)),
  },
];

const algolia: readonly ServiceRule[] = [
  {
    rule: '`requests` is a list of `updateObject` and `deleteObject`, each with an `objectID`.',
    documentation: 'https://www.algolia.com/doc/rest-api/search/batch',
    violations: ({ requests }) =>
      requests.filter(
        ({ action, body }: Body) => !['updateObject', 'deleteObject'].includes(action) || !isId(body.objectID),
      ),
  },
  {
    rule: 'A record has at most 10 KB in the smallest plan.',
    documentation: 'https://www.algolia.com/doc/guides/scaling/algolia-service-limits',
    violations: ({ requests }) =>
      requests.filter(({ body }: Body) => bytesOf(body) > 10_000).map(({ body }: Body) => bytesOf(body)),
  },
];

export const serviceRules: Readonly<Record<string, readonly ServiceRule[]>> = {
  slack,
  discord,
  teams,
  github,
  'deploy-hook': deployHook,
  meilisearch,
  algolia,
};

/** Returns what a service would refuse of a body; nothing for a format without a service. */
export const refusalsOf = (format: string, body: unknown): readonly string[] =>
  [wholeCharacters, ...(serviceRules[format] ?? [])].flatMap(({ rule, violations }) =>
    violations(body).map((violation) => `${rule} ${JSON.stringify(violation)}`),
  );
