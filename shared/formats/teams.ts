/**
 * An Adaptive Card for a Teams workflow ("Send webhook alerts to a channel"):
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using. At most 28 KB.
 */
import { headlineOf } from './headline.ts';
import type { Preset } from './preset.ts';
import { jsonBody } from './rendering.ts';
import { type Escape, shorten } from './shorten.ts';

/** At most four bytes a character, so that the card stays below 28 KB. */
const maxTitle = 500;
const maxExcerpt = 600;

/** The status of a connector that could not reach Teams. */
const badGateway = 502;

/** `{{DATE(…)}}` is a function of Adaptive Cards, and `<at>` a mention. */
const escaped: Escape = (text) => text.replace(/[{<]/g, '$&\u200b');

/** Unlike a TextBlock, runs of text have no Markdown. */
const run = (text: string, style: object) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...style }],
});

export const teams: Preset<Record<never, never>> = {
  settings: {},
  // Connectors answer 200 even if Teams has refused the message, with its status in the text.
  read: (answer) => {
    if (answer.status !== 200 || !answer.excerpt.startsWith('Webhook message delivery failed')) return answer;
    const [, status = badGateway] = /\bHTTP error ([45]\d\d)\b/.exec(answer.excerpt) ?? [];
    return { ...answer, status: Number(status) };
  },
  render: (rendering) => {
    const { sentence, excerpt, link, author } = headlineOf(rendering);
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        run(shorten(sentence, maxTitle, escaped), { weight: 'bolder', size: 'medium' }),
        ...(excerpt === undefined ? [] : [run(shorten(excerpt, maxExcerpt, escaped), {})]),
        ...(author === undefined ? [] : [run(shorten(author, maxTitle, escaped), { isSubtle: true })]),
      ],
      ...(link && { actions: [{ type: 'Action.OpenUrl', title: 'Open the page', url: link }] }),
    };
    return jsonBody({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
    });
  },
};
