/**
 * A message for a Slack incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/.
 * Limits: 150 characters of a header, 3,000 of a section or element (docs.slack.dev/reference/block-kit/blocks).
 */
import { headlineOf } from './headline.ts';
import type { Preset } from './preset.ts';
import { jsonBody } from './rendering.ts';
import { type Escape, shorten } from './shorten.ts';

const maxHeader = 150;
/** Less than a section allows: it is a preview. */
const maxExcerpt = 600;
const maxText = 3000;

/** Slack reads `<!channel>`, `<@U1>` and `<#C1>` as mentions; escaped, they are text. */
const escaped: Escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slack: Preset<Record<never, never>> = {
  settings: {},
  render: (rendering) => {
    const { sentence, excerpt, link, author } = headlineOf(rendering);
    const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
    const marked = link === undefined ? '' : `<${link.replaceAll('&', '&amp;')}|Open the page>`;
    // A link has at most 2,000 characters, but each `&` of it becomes five.
    const page = marked.length <= maxText - maxExcerpt ? marked : '';
    const elements = [author && shorten(`By ${author}`, 200, plainMarkup), page]
      .filter((text) => text)
      .map((text) => ({ type: 'mrkdwn', text, verbatim: true }));
    return jsonBody({
      // Slack shows it in notifications, and Mattermost, which has no blocks, as the message.
      text: `${shorten(sentence, maxText - page.length - 1, escaped)}${page && ` ${page}`}`,
      mrkdwn: false,
      blocks: [
        { type: 'header', text: plain(shorten(sentence, maxHeader)) },
        ...(excerpt === undefined ? [] : [{ type: 'section', text: plain(shorten(excerpt, maxExcerpt)) }]),
        ...(elements.length === 0 ? [] : [{ type: 'context', elements }]),
      ],
    });
  },
};

/** Text between our own markup: no character of it may begin some. */
const plainMarkup: Escape = (text) => escaped(text).replace(/[*_~`]/g, ' ');
